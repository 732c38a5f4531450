/** The same function, asked once per word: texts repeat their words. */
export function memoised<Result extends NonNullable<unknown>>(
  answer: (word: string) => Result,
): (word: string) => Result {
  const known = new Map<string, Result>();
  return (word) => {
    let result = known.get(word);
    if (result === undefined) {
      result = answer(word);
      known.set(word, result);
    }
    return result;
  };
}
