const FEMALE = `abigail ada adele adeline agatha agnes alexandra alice alison amanda amelia amy andrea angela anita ann anna anne
annie antonia arabella ashley aurora barbara beatrice becky bella bernadette bertha bessie beth betsy betty blanche brenda
bridget camilla carmen carol caroline catherine cathy cecilia celia charlotte chloe christina christine clara clarissa claire
clementina constance cora cordelia cynthia daisy daphne deborah delia della diana dinah dolores dora doris dorothea dorothy
edith edna eleanor elena elinor eliza elizabeth ella ellen elsie emily emma erica esther ethel eugenia eunice eva eve evelyn
fanny felicia fiona flora florence frances georgiana georgina geraldine gertrude ginny gladys gloria grace greta gwen gwendolen
hannah harriet hazel heather helen helena henrietta hermione hetty hilda honor hope ida imogen irene iris isabel isabella
isobel ivy jane janet jean jemima jennifer jenny jessica jessie jill joan joanna josephine joyce judith judy julia juliet
june karen kate katharine katherine kathleen katy kitty laura lavinia leah leila lena leonora lesley letitia lilia lilian
lily linda lisa lizzie lizzy lois lola lottie louisa louise lucilla lucinda lucretia lucy lydia mabel madeleine madge maggie
mamie margaret margery maria marian marianne marie marilla marina marion marjorie martha mary matilda maud maude may meg
melissa mercy mildred millicent millie minnie mina miranda miriam moira molly monica muriel myra nance nancy naomi natalie
natasha nell nellie nelly nora norah olga olive olivia ophelia pamela patience patricia paula paulina pauline pearl peggy
penelope phoebe phyllis polina polly priscilla prudence rachel rebecca rhoda rita roberta rosa rosalie rosalind rosamond
rosamund rose rosemary rosie ruby ruth sabina sally samantha sandra sarah selina serena sheila shirley sibyl silvia sissy
sonia sophia sophie stella stephanie susan susannah susie suzanne sybil sylvia tabitha tamara tamsin teresa tess thea theodora
theresa thomasina tilly tina trixie una ursula valerie vanessa vera veronica victoria viola violet virginia vivien wendy
wilhelmina winifred yvonne zoe`;

const MALE = `aaron abel abraham adam adrian alan albert alec alexander alexis alfred alick allan ambrose andrew angus anthony
antony archibald archie arnold arthur aubrey augustus austin barnaby barney basil benedict benjamin ben bernard bert bertie
bertram bill billy bob bobby boris brian bruce caleb calvin cecil cedric charles charley charlie christopher clarence claude
clement clifford clive colin conrad cuthbert cyril cyrus daniel david denis dennis derek dick dmitri dominic donald dorian
douglas duncan ebenezer ed eddie edgar edmund edward edwin eli elias elliot eric ernest eugene eustace ezra felix ferdinand
fitzwilliam francis frank franklin fred freddy frederick gabriel geoffrey george gerald gerard gideon gilbert giles godfrey
gordon graham gregory guy harold harry harvey hector henry herbert hercule herman horace horatio howard hubert hugh hugo
humphrey ian isaac ivan jack jacob jake james jamie jasper jeffrey jem jeremiah jeremy jerome jerry jim jimmy joe joel john
johnny jonah jonathan joseph joshua josiah jude julian julius justin keith kenneth kevin kit lancelot laurence lawrence
leo leonard leopold leslie lewis lionel louis lucian lucius luke malcolm marcus mark marmaduke martin matthew maurice max
maxwell michael miles montague morris mortimer moses nathan nathaniel ned neil neville newland nicholas nick nigel noah noel
norman oliver oscar oswald owen patrick paul percival percy peter philip phineas phil pip ralph randolph raphael raymond
reginald reuben richard rob robert robin roderick rodney roger roland ronald rory rowland rufus rupert sam samson samuel
sebastian seth sidney silas simeon simon solomon stanley stephen steve stuart sydney ted terence thaddeus theodore thomas
tim timothy toby tom tommy tony tristram uriah valentine vernon victor vincent virgil vladimir wallace walter warren wilfred
will william willie winston`;

const GENDERS: ReadonlyMap<string, Gender> = new Map([
  ...FEMALE.split(/\s+/).map((name): [string, Gender] => [name, "female"]),
  ...MALE.split(/\s+/).map((name): [string, Gender] => [name, "male"]),
]);

/** The usual gender of a given name. The text's own pronouns outweigh it. */
export function usualGender(name: string): Gender | null {
  return GENDERS.get(name) ?? null;
}

export function isGivenName(name: string): boolean {
  return GENDERS.has(name);
}

/**
 * Short forms and the names they stand for. Several short forms may belong to one name, and one short form to several
 * names.
 */
const SHORT_FORMS = `abby:abigail alec:alexander aleck:alexander alick:alexander andy:andrew archie:archibald becky:rebecca
bell:isabella bella:isabella,arabella ben:benjamin bert:albert,herbert bertie:albert,herbert bess:elizabeth bessie:elizabeth
beth:elizabeth betsy:elizabeth betty:elizabeth bill:william billy:william bob:robert bobby:robert cathy:catherine,katherine
charley:charles charlie:charles chris:christopher cissy:cecilia dan:daniel danny:daniel dave:david davy:david dick:richard
dolly:dorothy,dorothea dora:dorothy,theodora ed:edward,edmund eddie:edward eliza:elizabeth ellie:eleanor,ellen elsie:elizabeth
evie:evelyn fan:fanny,frances fanny:frances flo:florence frank:francis fred:frederick,alfred freddie:frederick
freddy:frederick geoff:geoffrey georgie:george,georgiana gus:augustus gussie:augustus hal:henry,harold hank:henry
harry:henry,harold hetty:henrietta,esther jack:john jake:jacob jamie:james janey:jane jeff:jeffrey jem:james,jeremy
jemmy:james jenny:jane,jennifer jerry:jeremiah,gerald jim:james jimmy:james jo:josephine joe:joseph joey:joseph
johnny:john josh:joshua kate:katherine,catherine,katharine kathy:katherine katie:katherine,catherine,katharine
katy:katherine,catherine kit:christopher,katherine kitty:catherine,katherine larry:lawrence,laurence len:leonard
liz:elizabeth liza:elizabeth,eliza lizzie:elizabeth lizzy:elizabeth loo:louisa lou:louisa,louis lottie:charlotte
lulu:louisa,lucy madge:margaret maggie:margaret matt:matthew may:mary,margaret meg:margaret mick:michael mike:michael
millie:mildred,millicent minnie:wilhelmina,mina molly:mary nan:ann,anne nance:nancy nancy:ann,anne nat:nathaniel
ned:edward,edmund nell:eleanor,ellen,helen nellie:eleanor,ellen,helen nelly:eleanor,ellen,helen nick:nicholas nina:ann
nolly:oliver noll:oliver norah:honor,eleanor pat:patrick,patricia patty:martha,patricia peg:margaret peggy:margaret
pen:penelope percy:percival phil:philip pip:philip polly:mary ralph:raphael reggie:reginald rob:robert robbie:robert
robin:robert ron:ronald rosie:rose,rosa sadie:sarah sal:sarah,sally sally:sarah sam:samuel,samantha sammy:samuel
sandy:alexander sissy:cecilia sophy:sophia steve:stephen,steven sukey:susan sue:susan susie:susan,susannah ted:edward,theodore
teddy:edward,theodore terry:terence tess:theresa,teresa tessa:theresa,teresa tilly:matilda tim:timothy tom:thomas
tommy:thomas tony:anthony,antony vicky:victoria vic:victor,victoria wat:walter will:william willie:william willy:william
win:winifred winnie:winifred`;

const FULL_FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  SHORT_FORMS.split(/\s+/).map((entry): [string, readonly string[]] => {
    const [short = "", full = ""] = entry.split(":");
    return [short, full.split(",")];
  }),
);

export function fullForms(short: string): readonly string[] {
  return FULL_FORMS.get(short) ?? [];
}

/** Words that are capitalised at the start of so many sentences and lines that they are never taken for names. */
const FUNCTION = `i i'm i'd i've i'll o oh ah ay aye eh the a an and but or nor if so yes no well ma'am you he she it
we they me him them us my your his her our their its this that these those what when where why how who whom whose which there
here then now not never just only do don't did does doesn't didn't is isn't are was wasn't were be been have haven't had has
would shall should can can't could might must let let's come go look see tell give take stop wait please thank thanks hush
hullo hello hallo hi goodbye good-bye perhaps indeed certainly however though although because as at by for from in into of
on to up with without after before all any both each every some one two three four five six seven eight nine ten first
second third last next other another such too very while until till since upon down out off over under again always ever
even still yet also once chapter book part volume section prologue epilogue contents preface introduction ps nb that's it's
he's she's there's what's i'd you're you've you'll we're we'll they're won't wouldn't couldn't shan't ain't good bad right
nothing something everything anything everybody somebody nobody everyone someone quite rather really ii iii iv vi vii viii ix
xi xii xiii xiv xv xvi xvii xviii xix xx esq esquire messrs misses mamma papa mama mum mummy dad daddy mom ma pa`;

/**
 * Capitalised words that are not names of people. One that speaks is taken for a person all the same (Chesterton's
 * Sunday).
 */
const OTHER_NAMES = `god heaven heavens christ jesus bible christian christians lord christmas easter michaelmas
english french german italian spanish russian american british scotch scottish irish welsh indian indians chinese japanese
turkish greek latin roman romans europe european europeans america england france germany italy spain russia scotland ireland
london paris rome englishman englishmen frenchman frenchmen german germans italian italians americans russians turks jews
catholic catholics protestant parliament government north south east west providence nature fate death time love bank
jove gawd lawd neptune virgin portuguese dutch dutchman arab arabs malay malays swiss norwegian
swede swedes dane danes austrian hungarian polish poles jew mormon mormons parisian parisians asia africa australia india
china japan egypt turkey greece switzerland austria holland belgium portugal sweden norway denmark poland canada mexico brazil
cuba wales cornwall california texas massachusetts pennsylvania florida kentucky alabama alaska arizona arkansas carolina
colorado connecticut delaware georgia hawaii idaho illinois indiana iowa kansas louisiana maine maryland michigan minnesota
mississippi missouri montana nebraska nevada ohio oklahoma oregon tennessee utah vermont virginia wisconsin wyoming jamaica
barbados tortuga hispaniola havana cartagena indies caribbean bermuda haiti peru chile panama argentina persia arabia syria
palestine morocco algiers tunis cairo malta sicily corsica crete normandy brittany burgundy gascony provence savoy tuscany
prussia bavaria saxony bohemia hungary romania bulgaria serbia finland iceland siberia caucasus ukraine siam burma ceylon
korea tibet melbourne sydney toronto montreal baltimore detroit denver seattle savannah charleston richmond brooklyn
marseilles bordeaux lyons geneva zurich brussels antwerp amsterdam hamburg munich dresden frankfurt leipzig cologne prague
warsaw budapest athens florence genoa turin pisa verona barcelona seville cadiz toledo granada gibraltar copenhagen
stockholm birmingham leeds sheffield newcastle york hull plymouth portsmouth southampton brighton norfolk suffolk essex
lancashire cheshire derbyshire shropshire warwickshire somerset dorset hampshire wiltshire cumberland northumberland
frenchwoman englishwoman spaniard spaniards scot scots scotchman irishman irishmen welshman hindu hindus muslim muslims
mohammedan mohammedans negro negroes italians germans prussians persian persians egyptian egyptians african africans
australian australians canadian canadians mexican mexicans cuban puritan puritans huguenot huguenots quaker quakers boston chicago philadelphia manchester liverpool bristol bath
oxford cambridge dublin edinburgh glasgow vienna berlin madrid lisbon moscow petersburg constantinople venice naples
milan calcutta bombay jerusalem mediterranean atlantic pacific yorkshire devonshire kent surrey sussex
majesty highness lordship ladyship grace excellency honour worship holiness majesty's`;

const DAYS_AND_MONTHS = `monday tuesday wednesday thursday friday saturday sunday january february march april june july
august september october november december`;

const PLACE_NOUNS = `street road house hall park court square church college university hotel inn station bridge river lake
mount hill hills abbey castle cottage villa lodge bay sea place lane avenue row gardens garden island islands valley wood
woods forest green common market city town county school theatre club company office times gazette herald chronicle shire
heath moor manor grange farm ranch creek falls mountain mountains ocean coast port harbour harbor tower gate alley crescent
terrace buildings chambers fields board department ministry committee society union council`;

/** Place names of more than one word. */
const PLACES = [
  "new york",
  "new orleans",
  "san francisco",
  "new zealand",
  "new england",
  "hong kong",
  "united states",
  "new world",
];

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

export const NOT_NAMES = setOf(FUNCTION);
export const DATES = setOf(DAYS_AND_MONTHS);
export const NAMES_OF_OTHER_THINGS: ReadonlySet<string> = new Set([...setOf(OTHER_NAMES), ...DATES, ...PLACES]);
export const ENDINGS_OF_PLACES = setOf(PLACE_NOUNS);

export type Gender = "female" | "male";

/** What a title implies about the person. */
export interface Title {
  readonly gender: Gender | null;
  /** Which name follows: "Mr Darcy" a family name, "Sir Thomas" a given one, "Lady Bertram" or "Aunt Norris" either. */
  readonly before: "family" | "given" | "either";
  /** Whether the title alone is also used: "the Colonel". */
  readonly standsAlone: boolean;
}

const family = (gender: Gender | null, standsAlone = false): Title => ({ gender, before: "family", standsAlone });
const either = (gender: Gender | null, standsAlone = false): Title => ({ gender, before: "either", standsAlone });

/** By their lower-case form without a full stop. */
export const TITLES: ReadonlyMap<string, Title> = new Map<string, Title>([
  ["mr", family("male")],
  ["mister", family("male")],
  ["mrs", family("female")],
  ["ms", family("female")],
  ["miss", either("female")],
  ["master", either("male")],
  ["mas'r", either("male")],
  ["sir", { gender: "male", before: "given", standsAlone: false }],
  ["lady", either("female")],
  ["lord", either("male")],
  ["dame", either("female")],
  ["madame", family("female")],
  ["madam", family("female")],
  ["mme", family("female")],
  ["mademoiselle", either("female")],
  ["mlle", either("female")],
  ["monsieur", either("male")],
  ["m", either("male")],
  ["signor", family("male")],
  ["signora", family("female")],
  ["signorina", either("female")],
  ["señor", family("male")],
  ["señora", family("female")],
  ["don", either("male")],
  ["doña", either("female")],
  ["herr", family("male")],
  ["frau", family("female")],
  ["fräulein", family("female")],
  ["dr", family(null)],
  ["doctor", family(null, true)],
  ["professor", family(null, true)],
  ["captain", family("male", true)],
  ["capt", family("male")],
  ["cap'n", family("male", true)],
  ["colonel", family("male", true)],
  ["col", family("male")],
  ["general", family("male", true)],
  ["major", family("male", true)],
  ["lieutenant", family("male", true)],
  ["sergeant", family("male", true)],
  ["corporal", family("male", true)],
  ["commander", family("male", true)],
  ["admiral", family("male", true)],
  ["inspector", family(null, true)],
  ["detective", family(null, true)],
  ["constable", family(null, true)],
  ["superintendent", family(null, true)],
  ["judge", family(null, true)],
  ["squire", family("male", true)],
  ["father", either("male")],
  ["brother", either("male")],
  ["sister", either("female")],
  ["mother", either("female")],
  ["aunt", either("female")],
  ["auntie", either("female")],
  ["uncle", either("male")],
  ["cousin", either(null)],
  ["granny", either("female")],
  ["grandmother", either("female")],
  ["grandfather", either("male")],
  ["count", either("male", true)],
  ["countess", either("female", true)],
  ["baron", either("male", true)],
  ["baroness", either("female", true)],
  ["duke", either("male", true)],
  ["duchess", either("female", true)],
  ["marquis", either("male", true)],
  ["marquess", either("male", true)],
  ["marchioness", either("female", true)],
  ["prince", either("male", true)],
  ["princess", either("female", true)],
  ["king", either("male", true)],
  ["queen", either("female", true)],
  ["emperor", either("male", true)],
  ["empress", either("female", true)],
  ["president", either(null, true)],
  ["bishop", either("male", true)],
  ["reverend", family("male")],
  ["rev", family("male")],
  ["comrade", either(null)],
  ["old", either(null)],
  ["young", either(null)],
  ["little", either(null)],
  ["poor", either(null)],
  ["dear", either(null)],
]);

const SHORT_TITLES: Readonly<Record<string, string>> = {
  dr: "doctor",
  capt: "captain",
  "cap'n": "captain",
  col: "colonel",
  rev: "reverend",
};

/** The main form of a title that has several: "Dr. Bull" is also "the Doctor", and "Captain Blood" is also "Cap'n". */
export function sameTitle(title: string): string {
  return SHORT_TITLES[title] ?? title;
}

/** Titles that are also surnames, after another title or a given name: "Miss Bishop", "Tom King". */
export const SURNAMES: ReadonlySet<string> = new Set(
  "bishop king prince duke major judge squire baron marquis constable young little dear".split(" "),
);

/** Words that precede a name without being part of it, even if capitalised. */
export const ADJECTIVES: ReadonlySet<string> = new Set(["old", "young", "little", "poor", "dear"]);
/** For titles of kin, which depend on the speaker, only the name after them identifies the person. */
export const KIN: ReadonlySet<string> = new Set(
  "father brother sister mother aunt auntie uncle cousin granny grandmother grandfather".split(" "),
);
/** Words between the parts of one name: "Ludwig van Beethoven", "Duchess of Monmouth". */
export const PARTICLES: ReadonlySet<string> = new Set(
  "of de la le du des del della di da van der den von und y ap".split(" "),
);
