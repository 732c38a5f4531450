import type { Pages } from "../api/use-pages.ts";
import { useTexts } from "../texts/preferences.tsx";
import { ProblemNotice } from "./waiting.tsx";

/** The foot of a long list: how much of it is shown, and more of it. */
export function LoadMore<Item>({ pages }: { readonly pages: Pages<Item> }) {
  const texts = useTexts();
  if (pages.problem) return <ProblemNotice problem={pages.problem} again={pages.reload} />;
  return (
    <div className="load-more">
      {pages.total !== null && pages.items.length > 0 ? (
        <span className="muted">{texts.rowsOf(pages.items.length, pages.total)}</span>
      ) : null}
      {pages.hasMore ? (
        <button type="button" disabled={pages.isLoading} onClick={pages.loadMore}>
          {texts.more}
        </button>
      ) : null}
      {pages.isLoading ? <span className="muted">{texts.loading}</span> : null}
    </div>
  );
}
