/** An asynchronous function whose module is loaded at its first call: nothing is paid for what is never used. */
export function loadedWhenCalled<Given extends unknown[], Result>(
  load: () => Promise<(...given: Given) => Promise<Result>>,
): (...given: Given) => Promise<Result> {
  return async (...given) => (await load())(...given);
}
