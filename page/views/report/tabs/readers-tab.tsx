import type { EvaluationDetails } from "../../../../src/api/evaluations.ts";
import type { PersonalVerdict, ReaderSummary } from "../../../../src/api/readers.ts";
import { address } from "../../../api/request.ts";
import { useAnswer } from "../../../api/use-answer.ts";
import { Waiting } from "../../../parts/waiting.tsx";
import { to } from "../../../routing.ts";
import { useTexts } from "../../../texts/preferences.tsx";
import { Verdicts } from "../../readers/personal-section.tsx";
import "../../readers/readers.css";

/** What each reader whose history is known is likely to think of the book. */
export function ReadersTab({ details }: { readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const asked = useAnswer<readonly ReaderSummary[]>("/api/readers");
  return (
    <Waiting asked={asked}>
      {(readers) =>
        readers.length === 0 ? (
          <p>
            {texts.readersNone} <a href={to(["readers"])}>{texts.importReader}</a>
          </p>
        ) : (
          readers.map(({ name }) => <OneReader key={name} name={name} bookId={details.bookId} />)
        )
      }
    </Waiting>
  );
}

function OneReader({ name, bookId }: { readonly name: string; readonly bookId: string }) {
  const texts = useTexts();
  const asked = useAnswer<PersonalVerdict>(
    address(`/api/readers/${encodeURIComponent(name)}/verdict`, { book: bookId }),
  );
  return (
    <section className="panel personal">
      <h2 className="form-heading">
        <a href={to(["readers", name])}>{texts.personalFor(name)}</a>
      </h2>
      <Waiting asked={asked}>{(verdict) => <Verdicts verdict={verdict} />}</Waiting>
    </section>
  );
}
