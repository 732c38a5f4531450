import type { BookDetails } from "../../../src/api/books.ts";
import { chapterInWords } from "../../parts/formats.ts";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";

export function Contents({ book }: { readonly book: BookDetails }) {
  const texts = useTexts();
  const longest = Math.max(1, ...book.contents.map((chapter) => chapter.words));
  return (
    <section>
      <h2>{texts.contents}</h2>
      <p className="hint">
        {texts.contentsHint} <a href={to(["books", book.id, "chapters"])}>{texts.correctChapters}</a>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section className="contents-scroller" aria-label={texts.contents} tabIndex={0}>
        <ol className="contents">
          {book.contents.map((chapter, position) => (
            <li key={chapter.index}>
              {chapter.part && chapter.part !== book.contents[position - 1]?.part ? (
                <span className="part">{chapter.part}</span>
              ) : null}
              <a href={to(["books", book.id, "read"], { chapter: chapter.index })}>
                {chapterInWords(chapter.index, chapter.title, texts.chapterNumber)}
              </a>
              <span className="length">
                <span className="number muted">{texts.words(chapter.words)}</span>
                <i aria-hidden="true" style={{ width: `${(chapter.words / longest) * 100}%` }} />
              </span>
            </li>
          ))}
        </ol>
      </section>
    </section>
  );
}
