/** An asynchronous function whose module is loaded at its first call: nothing is paid for what is never used. */
export function loadedWhenCalled<Given extends unknown[], Result>(
  load: () => Promise<(...given: Given) => Promise<Result>>,
): (...given: Given) => Promise<Result> {
  return async (...given) => (await load())(...given);
}

/** The same function that computes once for each object, and forgets with the object. */
export function remembered<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let entry = known.get(key);
    if (entry === undefined) {
      entry = { value: compute(key) };
      known.set(key, entry);
    }
    return entry.value;
  };
}
