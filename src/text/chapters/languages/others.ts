import { english, type HeadingLanguage, spelled } from "./english.ts";
import { french, german, italian, portuguese, russian, spanish } from "./european.ts";

const DUTCH = {
  ...spelled(
    ["een", "één", "eerste"],
    ["twee", "tweede"],
    ["drie", "derde"],
    ["vier", "vierde"],
    ["vijf", "vijfde"],
    ["zes", "zesde"],
    ["zeven", "zevende"],
    ["acht", "achtste"],
    ["negen", "negende"],
    ["tien", "tiende"],
    ["elf", "elfde"],
    ["twaalf", "twaalfde"],
    ["dertien", "dertiende"],
    ["veertien", "veertiende"],
    ["vijftien", "vijftiende"],
    ["zestien", "zestiende"],
    ["zeventien", "zeventiende"],
    ["achttien", "achttiende"],
    ["negentien", "negentiende"],
    ["twintig", "twintigste"],
  ),
  ...{
    eenentwintig: 21,
    tweeëntwintig: 22,
    drieëntwintig: 23,
    vierentwintig: 24,
    vijfentwintig: 25,
    zesentwintig: 26,
    zevenentwintig: 27,
    achtentwintig: 28,
    negenentwintig: 29,
    dertig: 30,
    dertigste: 30,
  },
};

const POLISH = {
  ...spelled(
    ["jeden", "pierwszy", "pierwsza"],
    ["dwa", "drugi", "druga"],
    ["trzy", "trzeci", "trzecia"],
    ["cztery", "czwarty", "czwarta"],
    ["pięć", "piąty", "piąta"],
    ["sześć", "szósty", "szósta"],
    ["siedem", "siódmy", "siódma"],
    ["osiem", "ósmy", "ósma"],
    ["dziewięć", "dziewiąty", "dziewiąta"],
    ["dziesięć", "dziesiąty", "dziesiąta"],
    ["jedenaście", "jedenasty", "jedenasta"],
    ["dwanaście", "dwunasty", "dwunasta"],
    ["trzynaście", "trzynasty", "trzynasta"],
    ["czternaście", "czternasty", "czternasta"],
    ["piętnaście", "piętnasty", "piętnasta"],
    ["szesnaście", "szesnasty", "szesnasta"],
    ["siedemnaście", "siedemnasty", "siedemnasta"],
    ["osiemnaście", "osiemnasty", "osiemnasta"],
    ["dziewiętnaście", "dziewiętnasty", "dziewiętnasta"],
    ["dwadzieścia", "dwudziesty", "dwudziesta"],
  ),
  ...{ trzydzieści: 30, trzydziesty: 30, czterdzieści: 40, czterdziesty: 40 },
};

const SWEDISH = {
  ...spelled(
    ["ett", "första"],
    ["två", "andra"],
    ["tre", "tredje"],
    ["fyra", "fjärde"],
    ["fem", "femte"],
    ["sex", "sjätte"],
    ["sju", "sjunde"],
    ["åtta", "åttonde"],
    ["nio", "nionde"],
    ["tio", "tionde"],
    ["elva", "elfte"],
    ["tolv", "tolfte"],
    ["tretton", "trettonde"],
    ["fjorton", "fjortonde"],
    ["femton", "femtonde"],
    ["sexton", "sextonde"],
    ["sjutton", "sjuttonde"],
    ["arton", "artonde"],
    ["nitton", "nittonde"],
    ["tjugo", "tjugonde"],
  ),
  ...{ tjugoett: 21, tjugotvå: 22, tjugotre: 23, tjugofyra: 24, tjugofem: 25, trettio: 30, trettionde: 30 },
};

const TURKISH = {
  ...spelled(
    ["bir", "birinci"],
    ["iki", "ikinci"],
    ["üç", "üçüncü"],
    ["dört", "dördüncü"],
    ["beş", "beşinci"],
    ["altı", "altıncı"],
    ["yedi", "yedinci"],
    ["sekiz", "sekizinci"],
    ["dokuz", "dokuzuncu"],
    ["on", "onuncu"],
  ),
  ...{ yirmi: 20, yirminci: 20, otuz: 30, otuzuncu: 30 },
};

const INDONESIAN = {
  ...spelled(
    ["satu", "kesatu", "pertama"],
    ["dua", "kedua"],
    ["tiga", "ketiga"],
    ["empat", "keempat"],
    ["lima", "kelima"],
    ["enam", "keenam"],
    ["tujuh", "ketujuh"],
    ["delapan", "kedelapan"],
    ["sembilan", "kesembilan"],
    ["sepuluh", "kesepuluh"],
    ["sebelas", "kesebelas"],
  ),
};

const VIETNAMESE = {
  ...spelled(
    ["một", "nhất"],
    ["hai", "nhì"],
    ["ba"],
    ["bốn", "tư"],
    ["năm"],
    ["sáu"],
    ["bảy"],
    ["tám"],
    ["chín"],
    ["mười"],
  ),
};

const ARABIC = {
  ...spelled(
    ["الأول", "الاول", "الأولى", "الحادي", "الحادية", "واحد"],
    ["الثاني", "الثانية", "اثنان"],
    ["الثالث", "الثالثة", "ثلاثة"],
    ["الرابع", "الرابعة", "أربعة"],
    ["الخامس", "الخامسة", "خمسة"],
    ["السادس", "السادسة", "ستة"],
    ["السابع", "السابعة", "سبعة"],
    ["الثامن", "الثامنة", "ثمانية"],
    ["التاسع", "التاسعة", "تسعة"],
    ["العاشر", "العاشرة", "عشرة"],
  ),
  // الحادي والعشرون: the first and the twentieth.
  ...{ العشرون: 20, والعشرون: 20, الثلاثون: 30, والثلاثون: 30 },
};

const HINDI = {
  ...spelled(
    ["एक", "पहला", "पहली", "प्रथम"],
    ["दो", "दूसरा", "दूसरी", "द्वितीय"],
    ["तीन", "तीसरा", "तीसरी", "तृतीय"],
    ["चार", "चौथा", "चौथी", "चतुर्थ"],
    ["पाँच", "पांच", "पाँचवाँ", "पांचवां", "पाँचवां", "पंचम"],
    ["छह", "छः", "छठा", "छठी", "षष्ठ"],
    ["सात", "सातवाँ", "सातवां", "सप्तम"],
    ["आठ", "आठवाँ", "आठवां", "अष्टम"],
    ["नौ", "नौवाँ", "नौवां", "नवम"],
    ["दस", "दसवाँ", "दसवां", "दशम"],
    ["ग्यारह", "ग्यारहवाँ", "ग्यारहवां"],
    ["बारह", "बारहवाँ", "बारहवां"],
    ["तेरह", "तेरहवाँ", "तेरहवां"],
    ["चौदह", "चौदहवाँ", "चौदहवां"],
    ["पंद्रह", "पंद्रहवाँ", "पंद्रहवां"],
    ["सोलह", "सोलहवाँ", "सोलहवां"],
    ["सत्रह", "सत्रहवाँ", "सत्रहवां"],
    ["अठारह", "अठारहवाँ", "अठारहवां"],
    ["उन्नीस", "उन्नीसवाँ", "उन्नीसवां"],
    ["बीस", "बीसवाँ", "बीसवां"],
  ),
  ...{ तीस: 30 },
};

/**
 * Languages with few words of their own here. Where a language has no numbers, its books number their chapters in figures as a rule.
 * Words that mean something else in a language above are left out, such as the Swedish "del".
 */
export const others: readonly HeadingLanguage[] = [
  words(
    "nl",
    ["hoofdstuk"],
    ["deel", "boek"],
    ["proloog", "epiloog", "voorwoord", "nawoord", "inleiding"],
    ["inhoud"],
    DUTCH,
  ),
  words("ca", ["capítol"], [], ["pròleg", "epíleg"], []),
  words("ro", ["capitolul", "capitol"], ["partea", "cartea"], ["prologul", "epilogul", "prefață"], ["cuprins"]),
  words("pl", ["rozdział"], ["część", "księga"], ["przedmowa", "wstęp", "posłowie"], ["spis treści"], POLISH),
  words("cs", ["kapitola"], ["část", "kniha"], ["předmluva", "doslov", "úvod"], ["obsah"]),
  words("sv", ["kapitel", "kapitlet"], [], ["förord", "efterord", "inledning"], ["innehåll"], SWEDISH),
  words("da", ["kapitel"], [], ["forord", "efterskrift"], ["indhold"]),
  words("no", ["kapittel"], [], ["etterord"], ["innhold"]),
  words("fi", ["luku"], ["osa"], ["prologi", "epilogi", "esipuhe"], ["sisällys"]),
  words("hu", ["fejezet"], ["rész"], ["prológus", "epilógus", "előszó", "utószó"], ["tartalom"]),
  words("tr", ["bölüm"], ["kısım", "kitap"], ["önsöz", "sonsöz"], ["içindekiler"], TURKISH),
  words(
    "el",
    ["κεφάλαιο", "κεφαλαιο", "κεφάλαιον"],
    ["μέρος", "μεροσ", "μερος", "βιβλίο"],
    ["πρόλογος", "επίλογος"],
    [],
  ),
  words("uk", ["розділ"], ["частина"], ["передмова", "післямова"], ["зміст"]),
  words("vi", ["chương", "hồi"], ["phần", "quyển"], ["lời nói đầu", "lời mở đầu"], ["mục lục"], VIETNAMESE),
  words("id", ["bab"], ["bagian"], ["prolog", "kata pengantar"], ["daftar isi"], INDONESIAN),
  words("la", ["caput"], ["liber"], ["prologus", "epilogus", "praefatio"], []),
  words(
    "ar",
    ["الفصل", "فصل"],
    ["الجزء", "القسم"],
    ["مقدمة", "المقدمة", "خاتمة", "الخاتمة"],
    ["الفهرس", "فهرس"],
    ARABIC,
  ),
  words("hi", ["अध्याय", "परिच्छेद"], ["भाग", "खंड", "खण्ड"], ["प्रस्तावना", "भूमिका", "उपसंहार"], ["विषय सूची", "अनुक्रम"], HINDI),
  words("fa", ["فصل"], ["بخش"], ["پیشگفتار"], ["فهرست"]),
  words("he", ["פרק"], ["חלק", "ספר"], ["פרולוג", "אפילוג", "הקדמה"], ["תוכן העניינים"]),
];

function words(
  language: string,
  chapter: readonly string[],
  division: readonly string[],
  named: readonly string[],
  paratext: readonly string[],
  numbers: Readonly<Record<string, number>> = {},
): HeadingLanguage {
  return { language, chapter, division, named, paratext, numbers };
}

/** Every language whose headings are known by their words; Chinese and Japanese have a grammar of their own. */
export const HEADING_LANGUAGES: readonly HeadingLanguage[] = [
  ...[english, french, german, spanish, portuguese, italian, russian],
  ...others,
];
