import { useState } from "react";
import type { BookDetails, SearchHit } from "../../../src/api/books.ts";
import { api } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Field } from "../../parts/field.tsx";
import { chapterInWords } from "../../parts/formats.ts";
import { useDebounced } from "../../parts/use-debounced.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const atMost = 200;

/** Words looked for in the whole book, each place with what stands around it. */
export function useBookSearch(bookId: string) {
  const [words, setWords] = useState("");
  const settled = useDebounced(words.trim(), 250);
  const asked = useAnswer(
    api.books[":id"].search,
    settled === "" ? null : { param: { id: bookId }, query: { q: settled } },
  );
  return { words, setWords, isOn: settled !== "", asked, hits: asked.answer ?? [] };
}

export function SearchField({ search }: { readonly search: ReturnType<typeof useBookSearch> }) {
  const texts = useTexts();
  return (
    <Field label={texts.searchInBook}>
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          value={search.words}
          onChange={(event) => search.setWords(event.target.value)}
        />
      )}
    </Field>
  );
}

export function SearchHits({
  search,
  book,
  onOpen,
}: {
  readonly search: ReturnType<typeof useBookSearch>;
  readonly book: BookDetails;
  readonly onOpen: (hit: SearchHit) => void;
}) {
  const texts = useTexts();
  if (!search.isOn) return null;
  const { asked, hits } = search;
  return (
    <aside className="search-hits" aria-label={texts.searchInBook}>
      <p role="status" className="muted">
        {asked.isLoading
          ? texts.loading
          : hits.length === 0
            ? texts.noHits
            : hits.length >= atMost
              ? texts.hitsAtMost(hits.length)
              : texts.hits(hits.length)}
      </p>
      {asked.problem ? <ProblemNotice problem={asked.problem} /> : null}
      <ol>
        {hits.map((hit) => (
          <li key={`${hit.chapter}:${hit.start}`}>
            <button type="button" className="hit" onClick={() => onOpen(hit)}>
              <small>
                {chapterInWords(
                  hit.chapter,
                  book.contents.find((chapter) => chapter.index === hit.chapter)?.title,
                  texts.chapterNumber,
                )}
              </small>
              <span>
                {hit.before}
                <mark>{search.words.trim()}</mark>
                {hit.after}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </aside>
  );
}
