/** Stock sentences, written for this: what an editor strikes out first. */
export const CLICHES: readonly string[] = [
  "Time stood still.",
  "It was the calm before the storm.",
  "Little did they know what fate had in store.",
  "A shiver ran down every spine in the room.",
  "Only time would tell.",
  "The silence was deafening.",
  "It was a dark and stormy night of the soul.",
  "Hearts skipped a beat.",
  "There was not a dry eye in the house.",
  "Everything happened in the blink of an eye.",
  "It was now or never.",
  "The rest, as they say, was history.",
];
