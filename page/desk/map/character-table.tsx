import { type FocusEvent, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { BookMapAnswer, CharacterCorrections } from "../../../src/api/map.ts";
import { api, ask } from "../../api/client.ts";
import { TableScroller } from "../../parts/table.tsx";
import { useAction, useQueue } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const MOST = 30;
type Character = NonNullable<BookMapAnswer["characters"]>["characters"][number];

/** Puts right who is who: the corrections are kept with the book and used wherever it is mapped. */
export function CharacterTable({
  map,
  bookId,
  onCorrected,
}: {
  readonly map: BookMapAnswer;
  readonly bookId: string;
  readonly onCorrected: () => void;
}) {
  const texts = useTexts();
  const characters = (map.characters?.characters ?? []).slice(0, MOST);
  const inTurn = useQueue();
  const correction = useAction(
    useCallback(
      async (change: (known: CharacterCorrections) => CharacterCorrections) => {
        const { characters } = api.books[":id"];
        const param = { id: bookId };
        // A name that is being typed is kept when one clicks on a button of another row: two corrections at once, of which the
        // second must know the first.
        await inTurn(async () =>
          ask(characters.$patch, { param, json: change(await ask(characters.$get, { param })) }),
        );
        onCorrected();
      },
      [bookId, inTurn, onCorrected],
    ),
  );
  const place = useFocusPlace(map);
  if (characters.length === 0) return null;
  const correct = (change: (known: CharacterCorrections) => CharacterCorrections) => void correction.run(change);
  return (
    <details className="corrections">
      <summary>{texts.correctCharacters}</summary>
      <p className="hint">{texts.correctCharactersHint}</p>
      {correction.problem ? <ProblemNotice problem={correction.problem} /> : null}
      <TableScroller label={texts.correctCharacters}>
        <table ref={place.table} onFocus={place.note}>
          <tbody>
            {characters.map((character) => (
              <Row key={character.name} character={character} others={characters} onCorrect={correct} />
            ))}
          </tbody>
        </table>
      </TableScroller>
      <button
        type="button"
        className="quiet"
        onClick={() => correct(() => ({ merge: [], split: [], rename: [], drop: [] }))}
      >
        {texts.correctReset}
      </button>
    </details>
  );
}

/**
 * A correction draws rows again or takes them away, and the focus with them: it comes back to its row, in a field that changes
 * nothing by itself.
 */
function useFocusPlace(map: BookMapAnswer) {
  const table = useRef<HTMLTableElement>(null);
  const last = useRef<{ readonly row: number; readonly field: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was corrected comes with another map.
  useLayoutEffect(() => {
    const rows = table.current?.rows;
    if (!rows || !last.current || document.activeElement !== document.body) return;
    const row = rows[Math.min(last.current.row, rows.length - 1)];
    const fields = row?.querySelectorAll<HTMLElement>("input, select");
    (fields?.[last.current.field] ?? fields?.[0])?.focus();
  }, [map]);
  const note = ({ target }: FocusEvent<HTMLElement>) => {
    const row = target.closest("tr");
    if (row) last.current = { row: row.rowIndex, field: [...row.querySelectorAll("input, select")].indexOf(target) };
  };
  return { table, note };
}

/** Two names that the writer joined are parted by joining them no longer; others become somebody else. */
function parted(known: CharacterCorrections, name: string, alias: string): CharacterCorrections {
  const merge = known.merge
    .map((group) => (group.includes(name) ? group.filter((each) => each !== alias) : group))
    .filter((group) => group.length > 1);
  if (JSON.stringify(merge) !== JSON.stringify(known.merge)) return { ...known, merge };
  return { ...known, split: [...known.split, { name, aliases: [alias], as: alias }] };
}

function Row({
  character: { name, aliases, mentions },
  others,
  onCorrect,
}: {
  readonly character: Character;
  readonly others: readonly Character[];
  readonly onCorrect: (change: (known: CharacterCorrections) => CharacterCorrections) => void;
}) {
  const texts = useTexts();
  const [renamed, setRenamed] = useState(name);
  const [same, setSame] = useState("");
  return (
    <tr>
      <th scope="row">
        <input
          aria-label={texts.correctName(name)}
          value={renamed}
          onChange={(event) => setRenamed(event.target.value)}
          onBlur={() => {
            const to = renamed.trim();
            if (to !== "" && to !== name)
              onCorrect((known) => ({ ...known, rename: [...known.rename, { from: name, to }] }));
          }}
        />
      </th>
      <td>
        {aliases
          .filter((alias) => alias !== name)
          .map((alias) => (
            <button
              key={alias}
              type="button"
              className="quiet"
              title={texts.correctSplit(alias)}
              onClick={() => onCorrect((known) => parted(known, name, alias))}
            >
              {alias} ✂
            </button>
          ))}
      </td>
      <td className="muted">{texts.mentionsOf(mentions)}</td>
      <td>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            event.currentTarget.querySelector("select")?.focus();
            setSame("");
            onCorrect((known) => ({ ...known, merge: [...known.merge, [same, name]] }));
          }}
        >
          <select aria-label={texts.correctSame(name)} value={same} onChange={(event) => setSame(event.target.value)}>
            <option value="">{texts.correctSame(name)}</option>
            {others
              .filter((other) => other.name !== name)
              .map((other) => (
                <option key={other.name} value={other.name}>
                  {other.name}
                </option>
              ))}
          </select>
          {/* With the keyboard one passes over names on the way to the one that is meant. */}
          {same === "" ? null : <button type="submit">{texts.correctJoin}</button>}
        </form>
      </td>
      <td>
        <button
          type="button"
          className="quiet"
          onClick={() => onCorrect((known) => ({ ...known, drop: [...known.drop, name] }))}
        >
          {texts.correctDrop}
        </button>
      </td>
    </tr>
  );
}
