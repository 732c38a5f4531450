import { useCallback, useMemo } from "react";
import type { AuditDecision, AuditTask } from "../../../src/api/questions.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { BlindSheet } from "./blind-sheet.tsx";
import "./questions.css";

/** A reviewer's sheet: texts before and after refinement, with nothing to show which were changed. */
export default function AuditView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1]!;
  const reviewer = route.query.get("reviewer") ?? "";
  const task = useAnswer(api["question-sets"][":id"].audit, { param: { id }, query: { reviewer } });
  return (
    <View title={texts.auditHeading} kicker={<a href={to(["questions", id, "set"])}>{texts.backToSet}</a>}>
      <Waiting asked={task}>
        {(found) =>
          found.items.length === 0 ? <p>{texts.auditNothing}</p> : <Sheet id={id} reviewer={reviewer} task={found} />
        }
      </Waiting>
    </View>
  );
}

interface SheetProps {
  readonly id: string;
  readonly reviewer: string;
  readonly task: AuditTask;
}

function Sheet({ id, reviewer, task: { items, decisions } }: SheetProps) {
  const texts = useTexts();
  const choices = useMemo(
    () => [
      { key: "y", label: `Y ${texts.auditYes}`, value: true },
      { key: "n", label: `N ${texts.auditNo}`, value: false },
    ],
    [texts],
  );
  const save = useCallback(
    async (item: string, decision: boolean | null) => {
      const said: AuditDecision = { reviewer, item, decision };
      await ask(api["question-sets"][":id"].audit.$put, { param: { id }, json: said });
    },
    [id, reviewer],
  );
  return (
    <BlindSheet
      items={items}
      before={decisions}
      choices={choices}
      legend={texts.auditAsk}
      keys={texts.auditKeys}
      done={texts.auditDone}
      place={texts.auditPlace}
      progress={texts.auditProgress}
      save={save}
      show={(item) => (
        <>
          <p className="kicker">{item.title}</p>
          {item.question ? <p>{item.question}</p> : null}
          <h2>
            {item.what}: {item.text}
          </h2>
          <details open>
            <summary>{texts.summaryLabel}</summary>
            <p className="rating-summary">{item.summary}</p>
          </details>
        </>
      )}
    />
  );
}
