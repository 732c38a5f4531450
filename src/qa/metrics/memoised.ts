/** Enough for the references of a large data set; past it, everything is forgotten and learnt again. */
const MOST_KEPT = 50_000;

/** The same function, asked once per text: texts repeat their words, and systems are compared with the same references. */
export function memoised<Result extends NonNullable<unknown>>(
  answer: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      if (known.size >= MOST_KEPT) known.clear();
      result = answer(text);
      known.set(text, result);
    }
    return result;
  };
}
