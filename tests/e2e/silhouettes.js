// The shapes of some symbols as masks of 64 x 64, without any colour.
async (ids) => {
  const masks = {};
  for (const id of ids) {
    const symbol = document.getElementById(id);
    const box = symbol.getAttribute("viewBox") || "0 0 120 148";
    const ink = `<style>* { fill: #000 !important; stroke: none !important; fill-opacity: 1 !important }</style>`;
    const uses = [...symbol.querySelectorAll("use")].map((use) => document.querySelector(use.getAttribute("href"))).filter(Boolean);
    const text = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="${box}">${ink}<defs>${
      uses.map((use) => use.outerHTML).join("")}</defs>${symbol.innerHTML}</svg>`;
    const image = new Image();
    image.src = "data:image/svg+xml," + encodeURIComponent(text);
    await image.decode();
    const canvas = new OffscreenCanvas(64, 64);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, 64, 64);
    masks[id] = [...context.getImageData(0, 0, 64, 64).data].filter((_, index) => index % 4 === 3).map((alpha) => alpha > 127);
  }
  return masks;
}
