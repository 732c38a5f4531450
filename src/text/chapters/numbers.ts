/** Numbers as headings write them: Arabic, Roman, full-width, Han (simple, formal, digit by digit), or spelled out. */

const ROMAN = /^m{0,3}(cm|cd|d?c{0,4})(xc|xl|l?x{0,4})(ix|iv|v?i{0,4})$/i;
const ROMAN_VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** Old prints write IIII as often as IV, so up to four equal letters are accepted. */
export function parseRoman(text: string): number | null {
  if (text === "" || !ROMAN.test(text)) return null;
  let total = 0;
  let previous = 0;
  for (const sign of [...text.toLowerCase()].reverse()) {
    const value = ROMAN_VALUES[sign] ?? 0;
    total += value < previous ? -value : value;
    previous = Math.max(previous, value);
  }
  return total;
}

/** The digits of full-width, Arabic, Persian, Devanagari and Bengali writing: each row begins with its zero. */
const ZEROS = [0xff10, 0x0660, 0x06f0, 0x0966, 0x09e6];
const OTHER_DIGITS = /[０-９٠-٩۰-۹०-९০-৯]/;
const ALL_OTHER_DIGITS = /[０-９٠-٩۰-۹०-९০-৯]/g;

function zeroOf(unit: number): number {
  return ZEROS.find((zero) => unit >= zero && unit < zero + 10) ?? unit;
}

export function parseArabic(text: string): number | null {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  if (!OTHER_DIGITS.test(text)) return null;
  const plain = text.replace(ALL_OTHER_DIGITS, (digit) =>
    String((digit.charCodeAt(0) - zeroOf(digit.charCodeAt(0))) % 10),
  );
  return /^\d{1,6}$/.test(plain) ? Number(plain) : null;
}

const HAN_DIGITS = "〇一二三四五六七八九";
const HAN_FORMAL = "零壹贰叁肆伍陆柒捌玖";
const HAN_TRADITIONAL = "○壹貳參肆伍陸柒捌玖";
const HAN_UNITS: Readonly<Record<string, number>> = { 十: 10, 拾: 10, 百: 100, 佰: 100, 千: 1000, 仟: 1000 };
/** 一万零三: the number before it counts ten thousands. */
const HAN_MYRIADS = "万萬";
const HAN_VARIANTS: Readonly<Record<string, number>> = { 两: 2, 兩: 2, 弌: 1, 弐: 2, 参: 3, Ｏ: 0, O: 0, "◯": 0 };

/** The characters a Han number may be written with, for use inside a regular expression's class. */
export const HAN_NUMBER_CHARACTERS = `${HAN_DIGITS}${HAN_FORMAL}${HAN_TRADITIONAL}${Object.keys(HAN_UNITS).join("")}${HAN_MYRIADS}两兩廿卅参ＯO◯０-９0-9`;

/** 一百零三, 壹佰零叁, 第一二零回's 一二零, 廿一, １２, 12. */
export function parseHan(text: string): number | null {
  const arabic = parseArabic(text);
  if (arabic !== null) return arabic;
  let total = 0;
  let digit: number | null = null;
  let positional = "";
  let hasUnit = false;
  for (const character of text.replaceAll("廿", "二十").replaceAll("卅", "三十")) {
    if (HAN_MYRIADS.includes(character)) {
      total = (total + (digit ?? (total === 0 ? 1 : 0))) * 10_000;
      digit = null;
      hasUnit = true;
      continue;
    }
    const unit = HAN_UNITS[character];
    if (unit !== undefined) {
      total += (digit ?? 1) * unit;
      digit = null;
      hasUnit = true;
      continue;
    }
    const value = hanDigit(character);
    if (value === null) return null;
    positional += String(value);
    digit = value;
  }
  if (text === "") return null;
  if (hasUnit) return total + (digit ?? 0);
  return positional.length <= 4 ? Number(positional) : null;
}

/** Whether a number is another one that lost its zeros: 11 for 101, 12 for 120. */
export function isWithoutZeros(number: number, whole: number): boolean {
  return whole > 100 && number !== whole && String(whole).replaceAll("0", "") === String(number);
}

function hanDigit(character: string): number | null {
  for (const row of [HAN_DIGITS, HAN_FORMAL, HAN_TRADITIONAL]) {
    const value = row.indexOf(character);
    if (value >= 0) return value;
  }
  return HAN_VARIANTS[character] ?? parseArabic(character);
}

const JOINING_WORDS = new Set(["and", "et", "y", "und", "e"]);

const TENS_AFTER = new Set(["puluh", "mươi"]);
const TENS_JOINED = new Set(["والعشرون", "والثلاثون"]);
const TEEN_AFTER = new Set(["belas", "عشر", "عشرة"]);

/** "twenty-first", "one hundred and two", "vingt et un": words that add up. */
export function parseSpelled(words: readonly string[], table: ReadonlyMap<string, number>): number | null {
  let total: number | null = null;
  for (const word of words) {
    // dua puluh, hai mươi: two tens. dua belas, الثاني عشر: two and ten.
    if (total !== null && total < 10 && (TENS_AFTER.has(word) || TEEN_AFTER.has(word))) {
      total = TENS_AFTER.has(word) ? total * 10 : total + 10;
      continue;
    }
    const value = table.get(word);
    if (value === undefined) {
      if (total !== null && JOINING_WORDS.has(word)) continue;
      return null;
    }
    // الثالث والعشرون: three and twenty.
    if (total !== null && total < 10 && TENS_JOINED.has(word)) total += value;
    else if (value === 100) total = (total ?? 1) * 100;
    else if (total === null || (value < 10 ? total % 10 === 0 : total % 100 === 0)) total = (total ?? 0) + value;
    else return null;
  }
  return total;
}
