import "./cover.css";

const cloths = ["teal", "brick", "moss", "plum", "slate", "ochre"] as const;

/** A cover for a book that has none: cloth, a ruled frame, the title; the same book always gets the same one. */
export function Cover({ title, author }: { readonly title: string; readonly author: string | null }) {
  const number = numberFrom(`${title}\n${author ?? ""}`);
  const longestWord = Math.max(...title.split(/\s+/).map((word) => word.length));
  // A long word would otherwise be broken in its middle; in Chinese there is no such word.
  const isBroken = (letters: number) => longestWord > letters && !/\p{Script=Han}/u.test(title);
  const size = title.length > 60 || isBroken(13) ? "small" : title.length > 24 || isBroken(10) ? "medium" : "large";
  return (
    <div className={`cover ${cloths[number % cloths.length]}`}>
      <Ornament number={number} />
      <span className={`cover-title ${size}`}>{title}</span>
      {author ? <span className="cover-author">{author}</span> : null}
    </div>
  );
}

/** A few arcs behind the title, their radii taken from the book's name. */
function Ornament({ number }: { readonly number: number }) {
  const radii = [18 + (number % 13), 34 + (number % 17), 52 + (number % 19)];
  const isLow = number % 2 === 0;
  return (
    <svg viewBox="0 0 100 150" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect x="5" y="5" width="90" height="140" rx="1" />
      {radii.map((radius, position) => (
        <circle key={radius} cx={isLow ? 18 + (number % 60) : 50} cy={isLow ? 138 : 105 + position * 6} r={radius} />
      ))}
    </svg>
  );
}

function numberFrom(text: string): number {
  let number = 7;
  for (const character of text) number = (number * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return number;
}
