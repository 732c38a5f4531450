/** Worn phrases, as they stand in prose; "*" is one word or none. */
export const CLICHES: readonly string[] = `
at the end of the day|in the nick of time|against all odds|all hell broke loose|avoid * like the plague|back to square one
beat around the bush|better late than never|between a rock and a hard place|bite the bullet|blood ran cold|bolt from the blue
breath she didn't know she was holding|breath he didn't know he was holding|breath i didn't know i was holding|bright and early
bundle of nerves|butterflies in her stomach|butterflies in his stomach|butterflies in my stomach|by the skin of his teeth
by the skin of her teeth|calm before the storm|cold as ice|cool as a cucumber|cried like a baby|crystal clear|cut to the chase
dead as a doornail|deafening silence|silence was deafening|deer in the headlights|diamond in the rough|drop in the bucket
dead of night|down to earth|each and every|easy as pie|eyes like saucers|eyes wide as saucers|face like thunder|fate worse than death
few and far between|fit as a fiddle|flat as a pancake|fought back tears|fought back the tears|from head to toe|from the bottom of my heart
gut feeling|hair stood on end|hard as nails|heart hammered in * chest|heart pounded in * chest|heart skipped a beat
heart sank|heart in * mouth|heart of gold|heart of stone|hit the nail on the head|in one fell swoop|in the blink of an eye
in the heat of the moment|in the middle of nowhere|it was a dark and stormy night|jaw dropped|just the tip of the iceberg
knees went weak|last but not least|leave no stone unturned|let out a breath|light as a feather|like a bat out of hell
like a bolt of lightning|like a caged animal|like a deer in headlights|like a fish out of water|like a knife through butter
like a ton of bricks|like clockwork|like there was no tomorrow|little did * know|lost track of time|love at first sight
made * blood boil|made * skin crawl|mind over matter|more than meets the eye|needle in a haystack|needless to say|nerves of steel
nipped in the bud|no rest for the wicked|old as the hills|once in a blue moon|once upon a time|only time will tell
out of the blue|out of the frying pan|pale as a ghost|piece of cake|pitch black|plain as day|play with fire|pure as the driven snow
quiet as a mouse|quick as a flash|quick as lightning|read * like a book|rooted to the spot|ruby red lips|sadder but wiser
scared to death|sealed * fate|sharp as a tack|shiver down * spine|sick and tired|sigh of relief|sink or swim|slept like a log
slow as molasses|smooth as silk|so quiet you could hear a pin drop|hear a pin drop|sold like hot cakes|stick out like a sore thumb
still as a statue|stone cold|stood the test of time|stopped dead in * tracks|strong as an ox|swept off * feet|take the bull by the horns
the apple of * eye|the best of both worlds|the blind leading the blind|the dark side|the last straw|the rest is history
the writing on the wall|thick as thieves|time stood still|time heals all wounds|tip of the iceberg|to make a long story short
tooth and nail|tossed and turned|turn over a new leaf|twinkle in * eye|under the weather|up in arms|vanished into thin air
walking on eggshells|water under the bridge|weak in the knees|wet behind the ears|when all is said and done|white as a sheet
white as snow|wide-eyed and|wind in * sails|world came crashing down|worth its weight in gold|sent shivers down * spine|chill ran down * spine
blood drained from * face|time seemed to slow|world fell away|weight of the world|weight lifted from * shoulders|hung heavy in the air
`
  .trim()
  .split(/\n|\|/);
