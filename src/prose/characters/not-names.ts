/** Words that stand with a capital at the start of so many sentences and lines that they never name a person. */
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

/** Capitalised words that are names of something else; one that speaks is taken for a person all the same (Chesterton's Sunday). */
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

/** Of more than one word. */
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
