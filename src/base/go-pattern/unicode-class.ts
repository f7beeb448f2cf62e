/** The names in `\p{…}` that Go 1.26 accepts. Of scripts, it finds only those without an underscore. */
const CATEGORIES =
  'C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs';
const LONG_CATEGORIES =
  'Cased_Letter Close_Punctuation Combining_Mark Connector_Punctuation Control Currency_Symbol Dash_Punctuation ' +
  'Decimal_Number Enclosing_Mark Final_Punctuation Format Initial_Punctuation Letter Letter_Number Line_Separator ' +
  'Lowercase_Letter Mark Math_Symbol Modifier_Letter Modifier_Symbol Nonspacing_Mark Number Open_Punctuation Other ' +
  'Other_Letter Other_Number Other_Punctuation Other_Symbol Paragraph_Separator Private_Use Punctuation Separator ' +
  'Space_Separator Spacing_Mark Surrogate Symbol Titlecase_Letter Unassigned Uppercase_Letter cntrl digit punct';
const SCRIPTS =
  'Adlam Ahom Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid ' +
  'Carian Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dogra Duployan ' +
  'Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew ' +
  'Hiragana Inherited Javanese Kaithi Kannada Katakana Kawi Kharoshthi Khmer Khojki Khudawadi Lao Latin Lepcha Limbu ' +
  'Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Medefaidrin Miao Modi Mongolian Mro Multani ' +
  'Myanmar Nabataean Nandinagari Newa Nko Nushu Ogham Oriya Osage Osmanya Palmyrene Phoenician Rejang Runic Samaritan ' +
  'Saurashtra Sharada Shavian Siddham Sinhala Sogdian Soyombo Sundanese Syriac Tagalog Tagbanwa Takri Tamil Tangsa ' +
  'Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Yezidi Yi';

/** Case, underscores, hyphens and spaces make no difference. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_ -]/g, '');
const named = (names: string, kind: string): [string, string][] =>
  names.split(' ').map((name) => [plain(name), `\\p{${kind}${name}}`]);
const CLASSES = new Map([
  ...named('Any ASCII Assigned', ''),
  ...named(SCRIPTS, 'Script='),
  ...named(`${CATEGORIES} ${LONG_CATEGORIES}`, 'General_Category='),
]);

export type RuneTest = (rune: number) => boolean;

/**
 * A test whether a rune belongs to a Unicode class; undefined when Go has no such class. V8 has the tables, in a later
 * version than Go's, and takes the same time for every rune.
 */
export function unicodeClass(name: string, foldsCase: boolean): RuneTest | undefined {
  const source = /^[A-Za-z_ -]+$/.test(name) ? CLASSES.get(plain(name)) : undefined;
  if (source === undefined) return undefined;
  const key = `${source}${foldsCase ? 'i' : ''}`;
  const known = tests.get(key) ?? newTest(new RegExp(source, foldsCase ? 'iu' : 'u'));
  tests.set(key, known);
  return known;
}

const tests = new Map<string, RuneTest>();

/** A pattern asks for the same rune many times before it moves to the next. */
function newTest(expression: RegExp): RuneTest {
  let last = -1;
  let answer = false;
  return (rune) => {
    if (rune !== last) {
      last = rune;
      answer = expression.test(String.fromCodePoint(rune));
    }
    return answer;
  };
}
