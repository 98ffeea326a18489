"use strict";
(() => {
  const table = document.getElementById("schemes");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const told = document.getElementById("told");
  const key = (row, column) => {
    const cell = row.cells[column];
    return column ? (cell.dataset.value === "" ? NaN : Number(cell.dataset.value)) : cell.textContent;
  };

  // what has no number stands last, whichever way round
  const compare = (one, two, sign) => {
    if (typeof one === "string") return sign * one.localeCompare(two);
    if (Number.isNaN(one) || Number.isNaN(two)) return Number.isNaN(one) - Number.isNaN(two);
    return sign * (one - two);
  };

  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    body.append(...[...body.rows].sort((one, two) => compare(key(one, column), key(two, column), sign)));
  }));

  const filter = document.getElementById("filter");
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    const rows = [...body.rows];
    rows.forEach((row) => { row.hidden = !row.textContent.toLowerCase().includes(wanted); });
    const shown = new Set(rows.filter((row) => !row.hidden).map((row) => row.dataset.scheme));
    document.querySelectorAll(".point").forEach((point) => {
      point.toggleAttribute("hidden", !shown.has(point.dataset.scheme));
    });
    document.getElementById("shown").textContent = wanted ? `${shown.size} of ${rows.length} schemes` : "";
  });

  const choose = (scheme) => {
    document.querySelectorAll("[data-scheme]").forEach((one) => {
      one.classList.toggle("chosen", one.dataset.scheme === scheme);
    });
    const words = [...document.querySelectorAll("dd[data-scheme]")].find((one) => one.dataset.scheme === scheme);
    if (told && words) {
      told.replaceChildren(Object.assign(document.createElement("b"), { textContent: `${scheme}: ` }),
        words.querySelector(".sentence").textContent);
    }
  };
  document.querySelectorAll(".point, #schemes tbody tr").forEach((one) => {
    for (const event of ["mouseenter", "focus", "click"]) one.addEventListener(event, () => choose(one.dataset.scheme));
  });
})();
