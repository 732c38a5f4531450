import type { LetterBlock, LetterView, QuotationView } from "../../judge/letter/letter-blocks.ts";
import { escapeHtml } from "../markup.ts";
import type { NotesView } from "./letter-view.ts";

export function letterHtml({ language, blocks }: LetterView): string {
  return `<section class="letter" lang="${language}">\n${blocks.map(blockHtml).join("\n")}\n</section>`;
}

function blockHtml(block: LetterBlock): string {
  switch (block.kind) {
    case "heading":
      return `<h2>${escapeHtml(block.text)}</h2>`;
    case "text": {
      const text = escapeHtml(block.text).replace(/`([^`]*)`/g, "<code>$1</code>");
      return block.quiet ? `<p><small>${text}</small></p>` : `<p>${text}</p>`;
    }
    case "list": {
      const tag = block.numbered ? "ol" : "ul";
      return `<${tag}>${block.entries.map((entry) => `<li>${escapeHtml(entry)}</li>`).join("")}</${tag}>`;
    }
    case "quote":
      return `<div class="better">${quotationHtml(block.quote)}</div>`;
    case "item":
      return `<article>
<h3>${block.number}. ${escapeHtml(block.title)}</h3>
<p>${escapeHtml(block.text)}</p>
${block.quotes.map(quotationHtml).join("")}
<p class="advice">${escapeHtml(block.advice)}</p>
</article>`;
    default:
      return block satisfies never;
  }
}

export function notesHtml({ heading, intro, notes }: NotesView): string {
  return `<section class="notes">
<h2>${escapeHtml(heading)}</h2>
<p>${escapeHtml(intro)}</p>
${notes.map(quotationHtml).join("\n")}
</section>`;
}

export function quotationHtml({ before, marked, after, where, note }: QuotationView): string {
  const isMarked = before.replace("…", "") !== "" || after.replace("…", "") !== "";
  const middle = isMarked ? `<mark>${escapeHtml(marked)}</mark>` : escapeHtml(marked);
  const place = note === null ? where : `${where} · ${note}`;
  return `<blockquote><p>${escapeHtml(before)}${middle}${escapeHtml(after)}</p><footer>${escapeHtml(place)}</footer></blockquote>`;
}
