import type { Gender } from "./titles.ts";

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

/** What a given name usually says. The text's own pronouns outweigh it (see `gender.ts`). */
export function usualGender(name: string): Gender | null {
  return GENDERS.get(name) ?? null;
}

export function isGivenName(name: string): boolean {
  return GENDERS.has(name);
}

/** Short forms and the names they stand for. Several short forms may share a name, and a short form several names. */
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
