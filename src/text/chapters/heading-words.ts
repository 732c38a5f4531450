/** The words for the pieces of a book in one language, in lower case. */
export interface HeadingLanguage {
  /** ISO 639-1. */
  readonly language: string;
  /** Words before or after a number that name a chapter: "chapter", "stave". */
  readonly chapter: readonly string[];
  /** Words for what contains chapters: "book", "part". */
  readonly division: readonly string[];
  /** Headings without a number that belong to the story. */
  readonly named: readonly string[];
  /** Headings of material around the story, which is cut. */
  readonly paratext: readonly string[];
  /** Numbers and ordinals written out. */
  readonly numbers: Readonly<Record<string, number>>;
}

/**
 * A HeadingLanguage written as text, with words separated by commas. Numbers count from one, and spellings of one number are
 * separated by a slash; "thirty = 30" states its number.
 */
type HeadingWords = Partial<Readonly<Record<keyof HeadingLanguage, string>>> & { readonly language: string };

const WORDS: readonly HeadingWords[] = [
  {
    language: "en",
    chapter: `
      chapter, chap, ch, stave, canto, letter, episode, adventure, scene, fit, fytte, section, tale, story, day`,
    division: "book, part, volume, vol, act, phase, narrative, period",
    named: `
      prologue, epilogue, preface, introduction, introductory, foreword, afterword, conclusion, interlude,
      postscript, finale, coda, prelude, preamble, proem, l'envoi, envoi, intermission, entr'acte, appendix,
      the prologue, the epilogue, introductory note, author's preface, author's introduction, sequel`,
    paratext: `
      contents, table of contents, the contents, illustrations, list of illustrations, footnotes, note, notes,
      endnotes, author's note, author's notes, author note, a note from the author, index, dramatis personae,
      cast of characters, list of characters, glossary, transcriber's note, transcriber's notes, transcribers note,
      transcriber notes, bibliography, errata, copyright, colophon, title page, titlepage, half title, imprint,
      cover, dedication, acknowledgments, acknowledgements, advertisements, advertisement, by the same author,
      other books by the author, about the author, biographical notice, biographical note, biographical sketch,
      biographical notice of the author, a note on the text, note on the text, publisher's note, editor's note,
      editor's preface, editor's introduction, translator's note, translator's preface, translator's introduction,
      publisher's preface, project gutenberg, the project gutenberg license, also by the author, uncopyright,
      list of plates, maps, the full project gutenberg license`,
    numbers: `
      one/first, two/second, three/third, four/fourth, five/fifth, six/sixth, seven/seventh, eight/eighth,
      nine/ninth, ten/tenth, eleven/eleventh, twelve/twelfth, thirteen/thirteenth, fourteen/fourteenth,
      fifteen/fifteenth, sixteen/sixteenth, seventeen/seventeenth, eighteen/eighteenth, nineteen/nineteenth,
      twenty/twentieth, thirty/thirtieth = 30, forty/fortieth = 40, fifty/fiftieth = 50, sixty/sixtieth = 60,
      seventy/seventieth = 70, eighty/eightieth = 80, ninety/ninetieth = 90, hundred/hundredth = 100, last = 0`,
  },
  {
    language: "fr",
    chapter: "chapitre, chap, lettre, chant, épisode, scène",
    division: "livre, partie, tome, volume, acte",
    named: `
      prologue, épilogue, préface, introduction, avant-propos, conclusion, postface, préambule, avertissement,
      appendice, intermède`,
    paratext: "table des matières, table, sommaire, notes, index, dédicace, du même auteur, remerciements",
    numbers: `
      premier/première/un/une, deux/deuxième/second/seconde, trois/troisième, quatre/quatrième, cinq/cinquième,
      six/sixième, sept/septième, huit/huitième, neuf/neuvième, dix/dixième, onze/onzième, douze/douzième,
      treize/treizième, quatorze/quatorzième, quinze/quinzième, seize/seizième, dix-sept/dix-septième,
      dix-huit/dix-huitième, dix-neuf/dix-neuvième, vingt/vingtième, trente/trentième = 30,
      quarante/quarantième = 40, cinquante/cinquantième = 50, soixante = 60, cent = 100`,
  },
  {
    language: "de",
    chapter: "kapitel, brief, gesang, abschnitt, szene, abenteuer",
    division: "buch, teil, theil, band, akt, aufzug",
    named: `
      prolog, epilog, vorwort, einleitung, nachwort, vorrede, schluss, schluß, zwischenspiel, vorspiel, nachspiel,
      anhang`,
    paratext: "inhalt, inhaltsverzeichnis, anmerkungen, fußnoten, widmung, danksagung, impressum, register",
    numbers: `
      eins/erstes/erster/erste/ersten, zwei/zweites/zweiter/zweite/zweiten, drei/drittes/dritter/dritte,
      vier/viertes/vierter/vierte, fünf/fünftes/fünfter/fünfte, sechs/sechstes/sechster/sechste,
      sieben/siebentes/siebtes/siebenter/siebter/siebente/siebte, acht/achtes/achter/achte,
      neun/neuntes/neunter/neunte, zehn/zehntes/zehnter/zehnte, elf/elftes/elfter/elfte,
      zwölf/zwölftes/zwölfter/zwölfte, dreizehn/dreizehntes/dreizehnter, vierzehn/vierzehntes/vierzehnter,
      fünfzehn/fünfzehntes/fünfzehnter, sechzehn/sechzehntes/sechzehnter, siebzehn/siebzehntes/siebzehnter,
      achtzehn/achtzehntes/achtzehnter, neunzehn/neunzehntes/neunzehnter, zwanzig/zwanzigstes/zwanzigster,
      einundzwanzigstes, zweiundzwanzigstes, dreiundzwanzigstes, vierundzwanzigstes, fünfundzwanzigstes,
      sechsundzwanzigstes, siebenundzwanzigstes, achtundzwanzigstes, neunundzwanzigstes, dreißigstes/dreißig,
      letztes = 0`,
  },
  {
    language: "es",
    chapter: "capítulo, capitulo, cap, carta, canto, episodio, escena",
    division: "libro, parte, tomo, volumen, acto",
    named: "prólogo, prologo, epílogo, epilogo, prefacio, introducción, conclusión, posfacio, apéndice, interludio",
    paratext: "índice, tabla de contenido, tabla de contenidos, notas, dedicatoria, agradecimientos",
    numbers: `
      primero/primera/primer/uno, segundo/segunda/dos, tercero/tercera/tercer/tres, cuarto/cuarta/cuatro,
      quinto/quinta/cinco, sexto/sexta/seis, séptimo/séptima/siete, octavo/octava/ocho, noveno/novena/nono/nueve,
      décimo/décima/diez, undécimo/once, duodécimo/doce, decimotercero/trece, decimocuarto/catorce,
      decimoquinto/quince, decimosexto/dieciséis, decimoséptimo/diecisiete, decimoctavo/dieciocho,
      decimonoveno/diecinueve, vigésimo/veinte, veintiuno, veintidós, veintitrés, veinticuatro, veinticinco,
      veintiséis, veintisiete, veintiocho, veintinueve, treinta/trigésimo, cuarenta = 40, cincuenta = 50,
      sesenta = 60, cien = 100`,
  },
  {
    language: "pt",
    chapter: "capítulo, capitulo, carta, canto, episódio, cena",
    division: "livro, parte, tomo, volume, ato, acto",
    named: "prólogo, epílogo, prefácio, posfácio, introdução, conclusão, interlúdio, apêndice",
    paratext: "sumário, índice, dedicatória, agradecimentos",
    numbers: `
      primeiro/primeira, segundo/segunda/dois/duas, terceiro/terceira/três, quarto/quarta/quatro,
      quinto/quinta/cinco, sexto/sexta/seis, sétimo/sétima/sete, oitavo/oitava/oito, nono/nona/nove,
      décimo/décima/dez, onze, doze, treze, catorze/quatorze, quinze, dezesseis/dezasseis, dezessete/dezassete,
      dezoito, dezenove/dezanove, vigésimo/vinte, trigésimo/trinta = 30, quarenta = 40, cinquenta = 50, cem = 100`,
  },
  {
    language: "it",
    chapter: "capitolo, capo, lettera, canto, episodio, scena",
    division: "libro, parte, tomo, volume, atto",
    named: "prologo, epilogo, prefazione, introduzione, conclusione, postfazione, premessa, appendice, intermezzo",
    paratext: "indice, sommario, dedica, ringraziamenti",
    numbers: `
      primo/prima/uno, secondo/seconda/due, terzo/terza/tre, quarto/quarta/quattro, quinto/quinta/cinque,
      sesto/sesta/sei, settimo/settima/sette, ottavo/ottava/otto, nono/nona/nove, decimo/decima/dieci,
      undicesimo/undecimo/undici, dodicesimo/duodecimo/dodici, tredicesimo/decimoterzo/tredici,
      quattordicesimo/decimoquarto/quattordici, quindicesimo/decimoquinto/quindici, sedicesimo/decimosesto/sedici,
      diciassettesimo/decimosettimo/diciassette, diciottesimo/decimottavo/diciotto,
      diciannovesimo/decimonono/diciannove, ventesimo/vigesimo/venti, trentesimo/trenta = 30,
      quarantesimo/quaranta = 40, cinquanta = 50, sessanta = 60, cento = 100`,
  },
  {
    language: "ru",
    chapter: "глава, письмо, песнь, сцена, эпизод",
    division: "книга, часть, том, действие",
    named: `
      пролог, эпилог, предисловие, введение, заключение, послесловие, интермедия, приложение, вместо предисловия,
      вместо эпилога`,
    paratext: "содержание, оглавление, примечания, сноски, посвящение",
    numbers: `
      первая/первый/первое/один, вторая/второй/второе/два, третья/третий/третье/три,
      четвертая/четвёртая/четвертый/четвёртый/четыре, пятая/пятый/пять, шестая/шестой/шесть, седьмая/седьмой/семь,
      восьмая/восьмой/восемь, девятая/девятый/девять, десятая/десятый/десять, одиннадцатая/одиннадцатый/одиннадцать,
      двенадцатая/двенадцатый/двенадцать, тринадцатая/тринадцатый/тринадцать,
      четырнадцатая/четырнадцатый/четырнадцать, пятнадцатая/пятнадцатый/пятнадцать,
      шестнадцатая/шестнадцатый/шестнадцать, семнадцатая/семнадцатый/семнадцать,
      восемнадцатая/восемнадцатый/восемнадцать, девятнадцатая/девятнадцатый/девятнадцать,
      двадцатая/двадцатый/двадцать, тридцатая/тридцать = 30, сороковая/сорок = 40, пятидесятая/пятьдесят = 50,
      последняя = 0`,
  },
  // Books in languages without listed numbers usually number their chapters in figures. Words with another meaning in
  // a language above, such as the Swedish "del", are left out.
  {
    language: "nl",
    chapter: "hoofdstuk",
    division: "deel, boek",
    named: "proloog, epiloog, voorwoord, nawoord, inleiding",
    paratext: "inhoud",
    numbers: `
      een/één/eerste, twee/tweede, drie/derde, vier/vierde, vijf/vijfde, zes/zesde, zeven/zevende, acht/achtste,
      negen/negende, tien/tiende, elf/elfde, twaalf/twaalfde, dertien/dertiende, veertien/veertiende,
      vijftien/vijftiende, zestien/zestiende, zeventien/zeventiende, achttien/achttiende, negentien/negentiende,
      twintig/twintigste, eenentwintig, tweeëntwintig, drieëntwintig, vierentwintig, vijfentwintig, zesentwintig,
      zevenentwintig, achtentwintig, negenentwintig, dertig/dertigste`,
  },
  {
    language: "ca",
    chapter: "capítol",
    named: "pròleg, epíleg",
  },
  {
    language: "ro",
    chapter: "capitolul, capitol",
    division: "partea, cartea",
    named: "prologul, epilogul, prefață",
    paratext: "cuprins",
  },
  {
    language: "pl",
    chapter: "rozdział",
    division: "część, księga",
    named: "przedmowa, wstęp, posłowie",
    paratext: "spis treści",
    numbers: `
      jeden/pierwszy/pierwsza, dwa/drugi/druga, trzy/trzeci/trzecia, cztery/czwarty/czwarta, pięć/piąty/piąta,
      sześć/szósty/szósta, siedem/siódmy/siódma, osiem/ósmy/ósma, dziewięć/dziewiąty/dziewiąta,
      dziesięć/dziesiąty/dziesiąta, jedenaście/jedenasty/jedenasta, dwanaście/dwunasty/dwunasta,
      trzynaście/trzynasty/trzynasta, czternaście/czternasty/czternasta, piętnaście/piętnasty/piętnasta,
      szesnaście/szesnasty/szesnasta, siedemnaście/siedemnasty/siedemnasta, osiemnaście/osiemnasty/osiemnasta,
      dziewiętnaście/dziewiętnasty/dziewiętnasta, dwadzieścia/dwudziesty/dwudziesta, trzydzieści/trzydziesty = 30,
      czterdzieści/czterdziesty = 40`,
  },
  {
    language: "cs",
    chapter: "kapitola",
    division: "část, kniha",
    named: "předmluva, doslov, úvod",
    paratext: "obsah",
  },
  {
    language: "sv",
    chapter: "kapitel, kapitlet",
    named: "förord, efterord, inledning",
    paratext: "innehåll",
    numbers: `
      ett/första, två/andra, tre/tredje, fyra/fjärde, fem/femte, sex/sjätte, sju/sjunde, åtta/åttonde, nio/nionde,
      tio/tionde, elva/elfte, tolv/tolfte, tretton/trettonde, fjorton/fjortonde, femton/femtonde, sexton/sextonde,
      sjutton/sjuttonde, arton/artonde, nitton/nittonde, tjugo/tjugonde, tjugoett, tjugotvå, tjugotre, tjugofyra,
      tjugofem, trettio/trettionde = 30`,
  },
  {
    language: "da",
    chapter: "kapitel",
    named: "forord, efterskrift",
    paratext: "indhold",
  },
  {
    language: "no",
    chapter: "kapittel",
    named: "etterord",
    paratext: "innhold",
  },
  {
    language: "fi",
    chapter: "luku",
    division: "osa",
    named: "prologi, epilogi, esipuhe",
    paratext: "sisällys",
  },
  {
    language: "hu",
    chapter: "fejezet",
    division: "rész",
    named: "prológus, epilógus, előszó, utószó",
    paratext: "tartalom",
  },
  {
    language: "tr",
    chapter: "bölüm",
    division: "kısım, kitap",
    named: "önsöz, sonsöz",
    paratext: "içindekiler",
    numbers: `
      bir/birinci, iki/ikinci, üç/üçüncü, dört/dördüncü, beş/beşinci, altı/altıncı, yedi/yedinci, sekiz/sekizinci,
      dokuz/dokuzuncu, on/onuncu, yirmi/yirminci = 20, otuz/otuzuncu = 30`,
  },
  {
    language: "el",
    chapter: "κεφάλαιο, κεφαλαιο, κεφάλαιον",
    division: "μέρος, μεροσ, μερος, βιβλίο",
    named: "πρόλογος, επίλογος",
  },
  {
    language: "uk",
    chapter: "розділ",
    division: "частина",
    named: "передмова, післямова",
    paratext: "зміст",
  },
  {
    language: "vi",
    chapter: "chương, hồi",
    division: "phần, quyển",
    named: "lời nói đầu, lời mở đầu",
    paratext: "mục lục",
    numbers: "một/nhất, hai/nhì, ba, bốn/tư, năm, sáu, bảy, tám, chín, mười",
  },
  {
    language: "id",
    chapter: "bab",
    division: "bagian",
    named: "prolog, kata pengantar",
    paratext: "daftar isi",
    numbers: `
      satu/kesatu/pertama, dua/kedua, tiga/ketiga, empat/keempat, lima/kelima, enam/keenam, tujuh/ketujuh,
      delapan/kedelapan, sembilan/kesembilan, sepuluh/kesepuluh, sebelas/kesebelas`,
  },
  {
    language: "la",
    chapter: "caput",
    division: "liber",
    named: "prologus, epilogus, praefatio",
  },
  {
    language: "ar",
    chapter: "الفصل, فصل",
    division: "الجزء, القسم",
    named: "مقدمة, المقدمة, خاتمة, الخاتمة",
    paratext: "الفهرس, فهرس",
    // الحادي والعشرون: the first and the twentieth.
    numbers: `
      الأول/الاول/الأولى/الحادي/الحادية/واحد, الثاني/الثانية/اثنان, الثالث/الثالثة/ثلاثة, الرابع/الرابعة/أربعة,
      الخامس/الخامسة/خمسة, السادس/السادسة/ستة, السابع/السابعة/سبعة, الثامن/الثامنة/ثمانية, التاسع/التاسعة/تسعة,
      العاشر/العاشرة/عشرة, العشرون/والعشرون = 20, الثلاثون/والثلاثون = 30`,
  },
  {
    language: "hi",
    chapter: "अध्याय, परिच्छेद",
    division: "भाग, खंड, खण्ड",
    named: "प्रस्तावना, भूमिका, उपसंहार",
    paratext: "विषय सूची, अनुक्रम",
    numbers: `
      एक/पहला/पहली/प्रथम, दो/दूसरा/दूसरी/द्वितीय, तीन/तीसरा/तीसरी/तृतीय, चार/चौथा/चौथी/चतुर्थ,
      पाँच/पांच/पाँचवाँ/पांचवां/पाँचवां/पंचम, छह/छः/छठा/छठी/षष्ठ, सात/सातवाँ/सातवां/सप्तम, आठ/आठवाँ/आठवां/अष्टम,
      नौ/नौवाँ/नौवां/नवम, दस/दसवाँ/दसवां/दशम, ग्यारह/ग्यारहवाँ/ग्यारहवां, बारह/बारहवाँ/बारहवां,
      तेरह/तेरहवाँ/तेरहवां, चौदह/चौदहवाँ/चौदहवां, पंद्रह/पंद्रहवाँ/पंद्रहवां, सोलह/सोलहवाँ/सोलहवां,
      सत्रह/सत्रहवाँ/सत्रहवां, अठारह/अठारहवाँ/अठारहवां, उन्नीस/उन्नीसवाँ/उन्नीसवां, बीस/बीसवाँ/बीसवां, तीस = 30`,
  },
  {
    language: "fa",
    chapter: "فصل",
    division: "بخش",
    named: "پیشگفتار",
    paratext: "فهرست",
  },
  {
    language: "he",
    chapter: "פרק",
    division: "חלק, ספר",
    named: "פרולוג, אפילוג, הקדמה",
    paratext: "תוכן העניינים",
  },
];

/** Every language whose headings are recognised by words; Chinese, Japanese and Korean ones are recognised by patterns. */
export const HEADING_LANGUAGES: readonly HeadingLanguage[] = WORDS.map((words) => ({
  language: words.language,
  chapter: listed(words.chapter),
  division: listed(words.division),
  named: listed(words.named),
  paratext: listed(words.paratext),
  numbers: numbersIn(words.numbers),
}));

function listed(text = ""): string[] {
  return text === "" ? [] : text.trim().split(/,\s+/);
}

function numbersIn(text?: string): Record<string, number> {
  const numbers: Record<string, number> = {};
  let next = 1;
  for (const entry of listed(text)) {
    const [spellings = "", value] = entry.split(" = ");
    const number = value === undefined ? next++ : Number(value);
    for (const spelling of spellings.split("/")) numbers[spelling] = number;
  }
  return numbers;
}
