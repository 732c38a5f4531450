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
