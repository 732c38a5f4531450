import { type ReactNode, useCallback, useLayoutEffect, useState } from "react";
import { ActionForm } from "../../parts/action.tsx";
import { Input } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** What may be said of an item: a key, its words, and what is kept. */
interface Choice<Value> {
  readonly key: string;
  readonly label: string;
  readonly value: Value;
}

interface BlindSheetProps<Item, Value> {
  readonly items: readonly Item[];
  /** What was said before, by item. */
  readonly before: Readonly<Record<string, Value>>;
  readonly choices: readonly Choice<Value>[];
  readonly legend: string;
  readonly keys: string;
  readonly done: string;
  readonly place: (place: number, total: number) => string;
  readonly progress: (done: number, total: number) => string;
  readonly show: (item: Item) => ReactNode;
  /** Null takes it back. */
  readonly save: (item: string, value: Value | null) => Promise<void>;
}

/** One item at a time, decided with a key; each decision is kept at once, so that the sheet can be left and resumed. */
export function BlindSheet<Item extends { readonly id: string }, Value>(props: BlindSheetProps<Item, Value>) {
  const { items, choices, save } = props;
  const [said, setSaid] = useState(props.before);
  const [place, setPlace] = useState(() => firstOpen(items, props.before));
  const saving = useAction(save);
  const item = items[place]!;
  const { run } = saving;
  const decide = useCallback(
    (value: Value | null) => {
      setSaid((all) => {
        const { [item.id]: _before, ...others } = all;
        return value === null ? others : { ...others, [item.id]: value };
      });
      void run(item.id, value);
      if (value !== null && place + 1 < items.length) setPlace(place + 1);
    },
    [item, items.length, place, run],
  );
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const choice = choices.find(({ key }) => key === event.key.toLowerCase());
      if (choice) decide(choice.value);
      else if (event.key === "Backspace" || event.key === "Delete") decide(null);
      else if (event.key === "ArrowRight" || event.key === "ArrowDown") setPlace(Math.min(items.length - 1, place + 1));
      else if (event.key === "ArrowLeft" || event.key === "ArrowUp") setPlace(Math.max(0, place - 1));
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [choices, decide, items.length, place]);
  const done = items.filter(({ id }) => said[id] !== undefined).length;
  return (
    <>
      <p className="hint" role="status">
        {props.place(place + 1, items.length)} · {props.progress(done, items.length)}
        {done === items.length ? ` · ${props.done}` : ""}
      </p>
      <p className="hint">{props.keys}</p>
      <ProblemNotice problem={saving.problem} again={() => decide(said[item.id] ?? null)} />
      <article className="panel rating-item">
        {props.show(item)}
        <fieldset className="rating-scale">
          <legend>{props.legend}</legend>
          {choices.map(({ key, label, value }) => (
            <button
              key={key}
              type="button"
              aria-pressed={said[item.id] === value}
              className={said[item.id] === value ? "primary" : ""}
              onClick={() => decide(value)}
            >
              {label}
            </button>
          ))}
        </fieldset>
      </article>
    </>
  );
}

/** Where somebody left off. */
function firstOpen(items: readonly { readonly id: string }[], said: Readonly<Record<string, unknown>>): number {
  const found = items.findIndex(({ id }) => said[id] === undefined);
  return found < 0 ? 0 : found;
}

interface NameFormProps {
  readonly label: string;
  readonly submit: string;
  readonly hint?: string;
  readonly className?: string;
  readonly onName: (name: string) => void;
  readonly children?: ReactNode;
}

/** Whoever begins a sheet says who they are. */
export function NameForm({ hint, className = "toolbar panel", onName, children, ...form }: NameFormProps) {
  const texts = useTexts();
  return (
    <ActionForm {...form} className={className} act={async (given) => onName(String(given.get("name")).trim())}>
      <Input label={texts.raterName} hint={hint} name="name" required pattern=".*\S.*" maxLength={80} />
      {children}
    </ActionForm>
  );
}
