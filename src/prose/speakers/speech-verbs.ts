/** Verbs that say who speaks, as they stand in narration: "said Emma", "Emma says". */
const SPEAKING = `said says say asked asks ask answered answers replied replies reply cried cries exclaimed exclaims returned
continued continues added adds observed remarked remarks repeated repeats rejoined responded responds whispered whispers
murmured murmurs muttered mutters shouted shouts called calls demanded demands inquired enquired declared announced explained
explains began interrupted interposed suggested suggests protested admitted agreed agrees insisted retorted screamed yelled
growled groaned sighed sobbed laughed gasped faltered stammered ejaculated pursued resumed proceeded concluded confessed
urged pleaded begged commanded ordered ventured assented affirmed acknowledged commented noted echoed hissed snapped barked
roared bawled bellowed mumbled grunted snorted chuckled giggled wailed moaned shrieked squeaked squealed piped drawled
queried questioned persisted objected corrected informed told tells told promised assured argued asserted maintained stated
mused reflected hinted volunteered offered put broke went thundered stormed burst sneered scoffed grumbled complained
lamented soothed coaxed breathed panted spluttered stuttered rasped croaked lisped quoted recited reported reminded warned
advised counselled apologised apologized greeted chimed intervened interjected countered conceded allowed owned rapped
quavered sang hummed read counted finished ended replied thought-aloud prompted pronounced opined gulped spat swore vowed
joked teased mocked taunted threatened cautioned challenged encouraged invited implored entreated beseeched besought
hesitated nodded smiled grinned`;

export const SPEECH_VERBS: ReadonlySet<string> = new Set(SPEAKING.split(/\s+/));

/** Of these, the ones that are tags only beside a quotation's comma, and mean something else in other places. */
export const WEAK_SPEECH_VERBS: ReadonlySet<string> = new Set(
  "put broke went offered owned allowed read counted finished ended opened told tells nodded smiled grinned noted sang hummed laughed".split(
    " ",
  ),
);

const THINKING = "thought thinks think wondered reflected mused considered pondered reasoned fancied imagined decided";
export const THOUGHT_VERBS: ReadonlySet<string> = new Set(THINKING.split(" "));
