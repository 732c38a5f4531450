// The script of a leaderboard's site: tables that sort and search, and texts that load when they are opened. It works on any
// server and from a disk; whoever has no scripts sees the tables as they are.

for (const table of document.querySelectorAll("table[id]")) {
  const body = table.tBodies[0];
  const number = (cell) => {
    const text = (cell.firstChild?.textContent ?? "").trim();
    return /^−?[\d.]+( ↑)?$/.test(text) ? Number.parseFloat(text.replace("−", "-")) : Number.NaN;
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    // A column of pictures is in the order of its figures.
    if (head.querySelector(".visually-hidden")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[column];
      const rows = [...body.rows].sort((one, other) => {
        const [left, right] = [number(key(one)), number(key(other))];
        const gone = Number.isNaN(left) - Number.isNaN(right);
        const order =
          Number.isNaN(left) && Number.isNaN(right)
            ? key(one).textContent.localeCompare(key(other).textContent, undefined, { numeric: true })
            : right - left;
        return gone || (up ? -order : order);
      });
      body.append(...rows);
    });
    head.replaceChildren(button);
  });
}

for (const field of document.querySelectorAll("[data-searches]")) {
  field.closest("[hidden]").hidden = false;
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of document.getElementById(field.dataset.searches).tBodies[0].rows)
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}

/** By name of the file: what its script hands over when it has loaded. */
const texts = new Map();

/** Frequent words, for which the files of texts have one character each. */
let words = null;
window.fabulaWords = (list) => {
  words = list;
};

/** Called by the files of texts: deflated bytes of UTF-16, fifteen bits to a character. */
window.fabulaTexts = async (name, hasWords, length, packed) => {
  const bytes = new Uint8Array(length);
  let [bits, held, at] = [0, 0, 0];
  for (let index = 0; index < packed.length; index++) {
    held = (held << 15) | (packed.charCodeAt(index) - 0x100);
    for (bits += 15; bits >= 8 && at < length; bits -= 8) bytes[at++] = (held >> (bits - 8)) & 0xff;
    held &= (1 << bits) - 1;
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const json = new TextDecoder("utf-16le").decode(await new Response(stream).arrayBuffer());
  const word = (character) => words[character.charCodeAt(0) - 0xe000];
  texts.get(name).resolve(JSON.parse(hasWords ? json.replace(/[\ue000-\uf8ff]/g, word) : json));
};

function load(file) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `../texts/${encodeURIComponent(file)}.js`;
    script.onload = resolve;
    script.onerror = () => reject(new Error(file));
    document.head.append(script);
  });
}

let dictionary = null;

function textsIn(name) {
  const known = texts.get(name);
  if (known) return known.promise;
  const loading = {};
  loading.promise = new Promise((resolve, reject) => Object.assign(loading, { resolve, reject }));
  texts.set(name, loading);
  dictionary ??= load("words");
  dictionary.then(() => load(name)).catch(loading.reject);
  return loading.promise;
}

for (const work of document.querySelectorAll("details[data-texts]")) {
  const open = async () => {
    const box = work.lastElementChild;
    try {
      box.innerHTML = (await textsIn(work.dataset.texts))[work.dataset.work];
    } catch {
      box.textContent = box.dataset.missing;
    }
  };
  work.addEventListener("toggle", open, { once: true });
}
