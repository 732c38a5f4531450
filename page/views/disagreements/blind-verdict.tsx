import type { BlindRemark, BlindSide } from "../../../src/api/votes.ts";
import { ScaleBar } from "../../parts/verdict.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const HUNDRED = { minimum: 0, maximum: 100 };

/** What one judge said, without its name. */
export function BlindVerdict({ name, side }: { readonly name: string; readonly side: BlindSide }) {
  const texts = useTexts();
  const { score, interval, strengths, weaknesses } = side;
  const verdict = { kind: "scored" as const, score, ...(interval && { interval: [...interval] as [number, number] }) };
  return (
    <section className="blind-verdict" aria-label={name}>
      <h4>{name}</h4>
      <p className="blind-score">
        <strong>{score.toFixed(1)}</strong>{" "}
        {interval ? (
          <span className="muted number">{texts.likely(interval[0].toFixed(1), interval[1].toFixed(1))}</span>
        ) : null}
      </p>
      <ScaleBar verdict={verdict} scale={HUNDRED} />
      {strengths.length + weaknesses.length === 0 ? <p className="muted">{texts.noRemarks}</p> : null}
      <Remarks heading={texts.strengthsSaid} remarks={strengths} />
      <Remarks heading={texts.weaknessesSaid} remarks={weaknesses} />
    </section>
  );
}

function Remarks({ heading, remarks }: { readonly heading: string; readonly remarks: readonly BlindRemark[] }) {
  const texts = useTexts();
  if (remarks.length === 0) return null;
  return (
    <>
      <h5>{heading}</h5>
      <ul>
        {remarks.map(({ text, quotes }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two remarks may be alike, and the list never changes.
          <li key={position}>
            {text}
            {quotes.map(({ quote, found }) => (
              <q key={quote} className="prose">
                {quote}
                {found ? null : <span className="doubt"> ({texts.notInBook})</span>}
              </q>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}
