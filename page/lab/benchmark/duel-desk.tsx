import { useEffect, useState } from "react";
import type { DuelToVote, DuelVoted } from "../../../src/api/benchmarks.ts";
import { api, ask, askUntil } from "../../api/client.ts";
import { ActionForm } from "../../parts/action.tsx";
import { Coded } from "../../parts/coded.tsx";
import { Input } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** Two texts from one synopsis, without names: which is better? */
export function DuelDesk({ id }: { readonly id: string }) {
  const texts = useTexts();
  const [name, setName] = useState<string | null>(null);
  const [shown, setShown] = useState<DuelToVote | null>(null);
  const [last, setLast] = useState<DuelVoted | null>(null);
  useEffect(() => {
    if (name === null) return;
    const abort = new AbortController();
    askUntil(abort.signal, api.benchmarks[":id"].duel.$get, { param: { id }, query: { voter: name } }).then(
      setShown,
      () => {},
    );
    return () => abort.abort();
  }, [name, id]);
  const pair = shown?.pair ?? null;
  const vote = useAction(async (choice: "A" | "B" | "tie") => {
    if (!pair || name === null) return;
    setLast(
      await ask(api.benchmarks[":id"].duel.$post, { param: { id }, json: { voter: name, pair: pair.id, choice } }),
    );
    setShown(await ask(api.benchmarks[":id"].duel.$get, { param: { id }, query: { voter: name } }));
  });
  return (
    <section className="duel-desk" aria-label={texts.duelHeading}>
      <h2>{texts.duelHeading}</h2>
      <p className="hint">
        <Coded text={texts.duelHint} />
      </p>
      {name === null ? (
        <ActionForm
          className=""
          label={texts.duelHeading}
          submit={texts.duelStart}
          act={async (given) => setName(String(given.get("voter")).trim())}
        >
          <Input label={texts.duelVoter} name="voter" required pattern=".*\S.*" maxLength={80} />
        </ActionForm>
      ) : null}
      <ProblemNotice problem={vote.problem} />
      {pair ? (
        <>
          <details>
            <summary>{texts.duelSynopsis}</summary>
            <ul>
              {pair.synopsis.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
          <div className="duel-sides">
            {pair.sides.map((text, place) => (
              <article key={place === 0 ? "A" : "B"} className="panel">
                <h3>{place === 0 ? "A" : "B"}</h3>
                <div className="prose duel-text">{text}</div>
              </article>
            ))}
          </div>
          <div className="actions">
            <button type="button" className="primary" disabled={vote.isBusy} onClick={() => void vote.run("A")}>
              {texts.duelBetter("A")}
            </button>
            <button type="button" className="primary" disabled={vote.isBusy} onClick={() => void vote.run("B")}>
              {texts.duelBetter("B")}
            </button>
            <button type="button" disabled={vote.isBusy} onClick={() => void vote.run("tie")}>
              {texts.duelTie}
            </button>
          </div>
          <p className="hint">{texts.duelLeft(shown?.left ?? 0, shown?.votes ?? 0)}</p>
        </>
      ) : shown ? (
        <p>{texts.duelAllVoted}</p>
      ) : null}
      <p role="status">{last ? texts.duelWere(last.sides[0], last.sides[1]) : ""}</p>
    </section>
  );
}
