/** Where the paragraph begins and ends that holds a position. Looked up, since a hostile text has many places in one endless paragraph. */
export function paragraphsOf(text: string): (position: number) => readonly [number, number] {
  const starts = [0];
  for (let at = text.indexOf("\n\n"); at !== -1; at = text.indexOf("\n\n", at + 2)) starts.push(at + 2);
  return (position) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    const next = starts[low + 1];
    return [starts[low]!, next === undefined ? text.length : next - 2];
  };
}
