// @ts-check
/** The rules pages: finding words in them, and following in the contents what is being read. */

/** Without capitals, and kana alike whether typed wide or narrow. @param {string} text */
const plain = (text) => text.normalize("NFKC").toLocaleLowerCase();

/** Shows only the paragraphs of the rules that have all the words. @param {HTMLInputElement} field */
function find(field) {
  const words = plain(field.value).split(/\s+/u).filter(Boolean);
  const page = document.querySelector("#main");
  let found = 0;
  for (const part of document.querySelectorAll("#main [data-find]")) {
    const text = plain(part.textContent ?? "");
    const fits = words.every((word) => text.includes(word));
    part.classList.toggle("is-other", !fits);
    if (fits) found += 1;
    const fold = part.closest("details");
    if (fold && words.length && fits) fold.open = true;
  }
  for (const part of document.querySelectorAll("#main section, #main .chapter-group")) {
    part.classList.toggle("is-other", !part.querySelector("[data-find]:not(.is-other)"));
  }
  page?.classList.toggle("is-searched", words.length > 0);
  const tally = document.getElementById("found");
  if (tally) tally.textContent = words.length ? (tally.dataset.words ?? "#").replace("#", String(found)) : "";
}

/** Marks in the contents which chapter is being read. */
function follow() {
  const links = new Map([...document.querySelectorAll("#contents a")].map((link) => [link.getAttribute("href"), link]));
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(`#${entry.target.id}`)?.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-10% 0px -75% 0px" },
  );
  for (const part of document.querySelectorAll("#main [data-part]")) seen.observe(part);
}

document.addEventListener("input", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.id === "find") find(event.target);
});

const search = document.getElementById("search");
if (search) {
  search.hidden = false;
  search.addEventListener("submit", (event) => event.preventDefault());
  follow();
}
