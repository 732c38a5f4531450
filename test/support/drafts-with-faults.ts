const STORM =
  "The storm came over the hill at dusk, and for an hour nobody in the village could hear a word above the wind. Slates flew from the church like birds, the old elm behind the smithy split down to its root, and the river took the footbridge.";
const HARBOUR =
  "By midnight the harbour was full of masts that had never been seen there, and the pilots went from deck to deck with their lanterns held high. Somebody had chained the gate of the customs house, somebody else had thrown the key into the basin, and each of them blamed the tide.";

const LETTER =
  "The letter said only that the lighthouse would be dark from the first of the month, that no one need be alarmed, and that the undersigned had taken the ledgers with him for safety. It was signed with a name that nobody at the post office had ever sorted, in ink that came off on the thumb.";

const days = (place: string) =>
  Array.from(
    { length: 30 },
    (_, index) =>
      `On the ${index + 1}. morning Hadley opened ${place} number ${index}, and ${"abcdefghij"[index % 10]!.repeat(4)} came in with ${"klmnopqrst"[(index * 7) % 10]!.repeat(4)} under one arm.`,
  ).join("\n\n");

interface Faults {
  readonly storm: boolean;
  readonly harbour: boolean;
  readonly names: boolean;
  readonly letter: boolean;
  readonly number: boolean;
}

function storm(faults: Faults): string {
  return [
    "# The Storm",
    "## Chapter One",
    STORM,
    "Forty-three names stood on the wall.",
    days("shop"),
    LETTER,
    "## Chapter Two",
    HARBOUR,
    days("gate"),
    ...(faults.storm ? [STORM] : []),
    faults.number ? "## Chapter Four" : "## Chapter Three",
    days("boat"),
    faults.names ? "All thirty-four names had gone." : "All forty-three names had gone.",
    ...(faults.harbour ? [HARBOUR] : []),
    ...(faults.letter ? [LETTER] : []),
    "",
  ].join("\n\n");
}

/** A book with five faults that counting finds. */
export const FAULTY_DRAFT = storm({ storm: true, harbour: true, names: true, letter: true, number: true });
/** The same with all five repaired. */
export const REPAIRED_DRAFT = storm({ storm: false, harbour: false, names: false, letter: false, number: false });

const ERRANDS =
  "carried the lamp took the ferry read the ledger closed the shutters wrote to the mayor knotted the net counted the sacks swept the yard".match(
    /\S+ the \S+/g,
  )!;

/** Rosamund is not seen again after the fifth chapter, unless she is Beatrice, who comes in the sixth. */
export const ABSENT = [
  "# The Ferry",
  ...Array.from({ length: 12 }, (_, chapter) => {
    const who = chapter < 5 ? "Rosamund" : "Beatrice";
    const lines = Array.from({ length: 24 }, (_line, at) => {
      const errand = ERRANDS[(chapter * 5 + at * 3) % ERRANDS.length]!;
      const other = ERRANDS[(chapter * 7 + at) % ERRANDS.length]!;
      return `${who} ${errand} on the ${chapter * 24 + at + 1}. day, and when ${at % 2 === 0 ? "the rain" : "the wind"} stopped Hadley ${other} and waited for the bell of house ${at * 13 + chapter}.`;
    });
    return `## Chapter ${chapter + 1}\n\n${lines.join("\n\n")}`;
  }),
  "",
].join("\n\n");
