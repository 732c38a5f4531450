import { useState } from "react";
import type { QuestionEvidence } from "../../../src/api/questions.ts";
import type { Args, Resource } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { PassageInPlace } from "../../desk/letter/passage-pane.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";
import "../../desk/letter/letter.css";

/** Opens a question at its evidence in the book; nothing is looked up before somebody asks. */
export function Evidence<Of extends Resource<QuestionEvidence>>({
  of,
  args,
}: {
  readonly of: Of;
  readonly args: Args<Of["$get"]>;
}) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const asked = useAnswer<Resource<QuestionEvidence>>(of, isOpen ? args : null);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.evidenceShow}</summary>
      {isOpen ? (
        <Waiting asked={asked}>
          {({ bookId, origin, passages }) =>
            bookId === null ? (
              <p>{texts.evidenceNoBook}</p>
            ) : (
              <>
                {origin === "searched" ? <p className="hint">{texts.evidenceSearched}</p> : null}
                {passages.map((passage) => (
                  <PassageInPlace
                    key={`${passage.chapter}:${passage.start}`}
                    passage={passage}
                    bookId={bookId}
                    language={null}
                  />
                ))}
              </>
            )
          }
        </Waiting>
      ) : null}
    </details>
  );
}
