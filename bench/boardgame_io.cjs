// The same load for boardgame.io's own server, in memory: `node boardgame_io.cjs server PORT` and
// `node boardgame_io.cjs load PORT MATCHES SECONDS`. Run where the package boardgame.io is installed.
"use strict";

const [role, port, matches, seconds] = process.argv.slice(2);
const { createRequire } = require("node:module");
const needed = createRequire(`${process.cwd()}/`);

// Two players in turn; a state of about 6 KB, as a table of The Hanging Gardens has.
const game = {
  name: "garden",
  setup: () => ({
    moves: 0,
    cards: Array.from({ length: 75 }, (_, number) => ({ id: `G${number}`, slot: "tree", kind: "palm", place: [0, number] })),
  }),
  moves: {
    take: ({ G, events }, index) => {
      G.moves += 1;
      G.cards[index % 75].place = [1 + (G.moves % 3), index];
      events.endTurn();
    },
  },
};

if (role === "server") {
  const { Server, Origins } = needed("boardgame.io/server");
  const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
  server.run(Number(port), () => console.log("ready"));
} else {
  const { Client } = needed("boardgame.io/client");
  const { SocketIO } = needed("boardgame.io/multiplayer");
  const url = `http://localhost:${port}`;
  const open = (matchID, playerID) =>
    new Promise((resolve) => {
      const client = Client({ game, multiplayer: SocketIO({ server: url }), matchID, playerID, debug: false });
      let done = false;
      client.subscribe((state) => {
        if (state && !done) { done = true; resolve(client); }
      });
      client.start();
    });
  (async () => {
    const tables = [];
    for (let number = 0; number < Number(matches); number += 1) {
      const matchID = `match-${number}`; // the server makes a match when somebody first asks for it
      const players = [];
      for (const playerID of ["0", "1"]) players.push(await open(matchID, playerID));
      for (let watcher = 0; watcher < 2; watcher += 1) await open(matchID, undefined);
      tables.push(players);
    }
    const delays = [];
    const ends = performance.now() + Number(seconds) * 1000;
    await Promise.all(tables.map(async (players) => {
      while (performance.now() < ends) {
        const turn = Number(players[0].getState().ctx.currentPlayer);
        if (Number(players[1].getState().ctx.currentPlayer) !== turn) {
          await new Promise((resolve) => setTimeout(resolve, 0)); // one of the two has not heard yet
          continue;
        }
        const other = players[1 - turn];
        const before = other.getState().G.moves;
        const began = performance.now();
        const seen = new Promise((resolve) => {
          const stop = other.subscribe((state) => { if (state && state.G.moves > before) { stop(); resolve(true); } });
          setTimeout(() => { stop(); resolve(false); }, 5000);
        });
        players[turn].moves.take(before);
        if (await seen) delays.push(performance.now() - began);
      }
    }));
    delays.sort((a, b) => a - b);
    const at = (share) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] || 0;
    console.log(JSON.stringify({ moves: delays.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }));
    process.exit(0);
  })();
}
