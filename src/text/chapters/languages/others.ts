import type { HeadingLanguage } from "./heading-language.ts";

/**
 * Languages whose books number their chapters in figures as a rule: the words are enough, numbers written out are not read.
 * Words that mean something else in a language above are left out, such as the Swedish "del".
 */
export const others: readonly HeadingLanguage[] = [
  words("nl", ["hoofdstuk"], ["deel", "boek"], ["proloog", "epiloog", "voorwoord", "nawoord", "inleiding"], ["inhoud"]),
  words("ca", ["capítol"], [], ["pròleg", "epíleg"], []),
  words("ro", ["capitolul", "capitol"], ["partea", "cartea"], ["prologul", "epilogul", "prefață"], ["cuprins"]),
  words("pl", ["rozdział"], ["część", "księga"], ["przedmowa", "wstęp", "posłowie"], ["spis treści"]),
  words("cs", ["kapitola"], ["část", "kniha"], ["předmluva", "doslov", "úvod"], ["obsah"]),
  words("sv", ["kapitel", "kapitlet"], [], ["förord", "efterord", "inledning"], ["innehåll"]),
  words("da", ["kapitel"], [], ["forord", "efterskrift"], ["indhold"]),
  words("no", ["kapittel"], [], ["etterord"], ["innhold"]),
  words("fi", ["luku"], ["osa"], ["prologi", "epilogi", "esipuhe"], ["sisällys"]),
  words("hu", ["fejezet"], ["rész"], ["prológus", "epilógus", "előszó", "utószó"], ["tartalom"]),
  words("tr", ["bölüm"], ["kısım"], ["önsöz", "sonsöz"], ["içindekiler"]),
  words(
    "el",
    ["κεφάλαιο", "κεφαλαιο", "κεφάλαιον"],
    ["μέρος", "μεροσ", "μερος", "βιβλίο"],
    ["πρόλογος", "επίλογος"],
    [],
  ),
  words("uk", ["розділ"], ["частина"], ["передмова", "післямова"], ["зміст"]),
  words("vi", ["chương", "hồi"], ["phần", "quyển"], ["lời nói đầu", "lời mở đầu"], ["mục lục"]),
  words("id", ["bab"], ["bagian"], ["prolog", "kata pengantar"], ["daftar isi"]),
  words("la", ["caput"], ["liber"], ["prologus", "epilogus", "praefatio"], []),
  words("ar", ["الفصل", "فصل"], ["الجزء", "القسم"], ["مقدمة", "المقدمة", "خاتمة", "الخاتمة"], ["الفهرس", "فهرس"]),
  words("fa", ["فصل"], ["بخش"], ["پیشگفتار"], ["فهرست"]),
  words("he", ["פרק"], ["חלק", "ספר"], ["פרולוג", "אפילוג", "הקדמה"], ["תוכן העניינים"]),
];

function words(
  language: string,
  chapter: readonly string[],
  division: readonly string[],
  named: readonly string[],
  paratext: readonly string[],
): HeadingLanguage {
  return { language, chapter, division, named, paratext, numbers: {} };
}
