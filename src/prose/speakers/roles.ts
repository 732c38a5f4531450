import type { Gender } from "../characters/titles.ts";

const FEMALE =
  "lady woman girl mother sister aunt wife daughter widow nurse housekeeper governess maid matron mistress queen duchess countess princess grandmother landlady niece nun actress waitress hostess creature-lady madam heroine spinster";
const MALE =
  "man gentleman boy father brother uncle husband son lad fellow youth king duke count prince grandfather landlord nephew priest actor waiter host sir hero bachelor policeman officer soldier sailor coachman footman butler beadle squire clergyman lord chap monk sergeant colonel captain general admiral major baron marquis frenchman englishman painter";

const GENDERS: ReadonlyMap<string, Gender> = new Map([
  ...FEMALE.split(" ").map((word): [string, Gender] => [word, "female"]),
  ...MALE.split(" ").map((word): [string, Gender] => [word, "male"]),
]);

/** What the noun of "the old lady" says. */
export function genderOfRole(role: string): Gender | null {
  return GENDERS.get(role.split(" ").at(-1)!) ?? null;
}
