/** The types of expressions that random templates are made of. */
export type Kind =
  | 'text'
  | 'int'
  | 'float'
  | 'bool'
  | 'list'
  | 'texts'
  | 'dict'
  | 'time'
  /** A time where anything else would mean now. */
  | 'instant'
  | 'any'
  | 'format'
  | 'pattern'
  | 'layout'
  | 'zone'
  | 'duration'
  | 'version'
  | 'constraint'
  | 'url'
  /** Not more than Go can count in a moment. */
  | 'small'
  /** A dict that nothing else refers to: Go does not survive one that contains itself. */
  | 'fresh';

export interface Signature {
  name: string;
  takes: readonly Kind[];
  gives: Kind;
  /** Of how many further arguments there may be. */
  rest?: Kind;
}

const of = (name: string, takes: string, gives: Kind, rest?: Kind): Signature => ({
  name,
  takes: takes.split(' ').filter((kind) => kind !== '') as Kind[],
  gives,
  ...(rest === undefined ? {} : { rest }),
});

/** Every function of text/template and sprig whose result Go always gives alike. */
export const SIGNATURES: readonly Signature[] = [
  of('and', 'any', 'any', 'any'),
  of('or', 'any', 'any', 'any'),
  of('not', 'any', 'bool'),
  of('eq', 'text text', 'bool', 'text'),
  of('eq', 'int int', 'bool', 'int'),
  of('eq', 'any any', 'bool'),
  of('ne', 'int int', 'bool'),
  of('lt', 'int int', 'bool'),
  of('le', 'float float', 'bool'),
  of('gt', 'text text', 'bool'),
  of('ge', 'any any', 'bool'),
  of('len', 'text', 'int'),
  of('len', 'any', 'int'),
  of('index', 'dict text', 'any'),
  of('index', 'list int', 'any'),
  of('index', 'texts int', 'text'),
  of('index', 'any', 'any', 'any'),
  of('print', '', 'text', 'any'),
  of('println', '', 'text', 'any'),
  of('printf', 'format', 'text', 'any'),
  of('html', 'text', 'text'),
  of('html', 'any', 'text', 'any'),
  of('js', 'text', 'text'),
  of('urlquery', 'text', 'text'),
  of('toString', 'any', 'text'),
  of('toStrings', 'any', 'texts'),
  of('abbrev', 'int text', 'text'),
  of('abbrevboth', 'int int text', 'text'),
  of('trunc', 'int text', 'text'),
  of('trim', 'text', 'text'),
  of('upper', 'text', 'text'),
  of('lower', 'text', 'text'),
  of('title', 'text', 'text'),
  of('untitle', 'text', 'text'),
  of('substr', 'int int text', 'text'),
  of('trimAll', 'text text', 'text'),
  of('trimSuffix', 'text text', 'text'),
  of('trimPrefix', 'text text', 'text'),
  of('nospace', 'text', 'text'),
  of('initials', 'text', 'text'),
  of('swapcase', 'text', 'text'),
  of('snakecase', 'text', 'text'),
  of('camelcase', 'text', 'text'),
  of('kebabcase', 'text', 'text'),
  of('wrap', 'int text', 'text'),
  of('wrapWith', 'int text text', 'text'),
  of('contains', 'text text', 'bool'),
  of('hasPrefix', 'text text', 'bool'),
  of('hasSuffix', 'text text', 'bool'),
  of('quote', 'any', 'text', 'any'),
  of('squote', 'any', 'text', 'any'),
  of('cat', 'any', 'text', 'any'),
  of('nindent', 'small text', 'text'),
  of('indent', 'small text', 'text'),
  of('repeat', 'small text', 'text'),
  of('replace', 'text text text', 'text'),
  of('plural', 'text text int', 'text'),
  of('sha1sum', 'text', 'text'),
  of('sha256sum', 'text', 'text'),
  of('adler32sum', 'text', 'text'),
  of('atoi', 'text', 'int'),
  of('int64', 'any', 'int'),
  of('int', 'any', 'int'),
  of('float64', 'any', 'float'),
  of('toDecimal', 'any', 'int'),
  of('split', 'text text', 'any'),
  of('splitList', 'text text', 'texts'),
  of('splitn', 'text int text', 'any'),
  of('until', 'small', 'any'),
  of('untilStep', 'small small small', 'any'),
  of('add1', 'any', 'int'),
  of('add', 'int int', 'int', 'any'),
  of('sub', 'int int', 'int'),
  of('div', 'int int', 'int'),
  of('mod', 'int int', 'int'),
  of('mul', 'int int', 'int', 'int'),
  of('max', 'int', 'int', 'int'),
  of('min', 'int', 'int', 'any'),
  of('ceil', 'float', 'float'),
  of('floor', 'float', 'float'),
  of('round', 'float int', 'float'),
  of('join', 'text texts', 'text'),
  of('join', 'text any', 'text'),
  of('default', 'any any', 'any'),
  of('default', 'text text', 'text'),
  of('empty', 'any', 'bool'),
  of('coalesce', 'any any', 'any', 'any'),
  of('compact', 'list', 'list'),
  of('deepCopy', 'dict', 'dict'),
  of('toJson', 'any', 'text'),
  of('toPrettyJson', 'any', 'text'),
  of('ternary', 'any any bool', 'any'),
  of('ternary', 'text text bool', 'text'),
  of('typeOf', 'any', 'text'),
  of('typeIs', 'text any', 'bool'),
  of('kindOf', 'any', 'text'),
  of('kindIs', 'text any', 'bool'),
  of('deepEqual', 'any any', 'bool'),
  of('base', 'text', 'text'),
  of('dir', 'text', 'text'),
  of('clean', 'text', 'text'),
  of('ext', 'text', 'text'),
  of('isAbs', 'text', 'bool'),
  of('b64enc', 'text', 'text'),
  of('b64dec', 'text', 'text'),
  of('b32enc', 'text', 'text'),
  of('b32dec', 'text', 'text'),
  of('list', 'any', 'list', 'any'),
  of('tuple', 'any any', 'list', 'any'),
  of('dict', 'text any', 'dict'),
  of('dict', 'text any text any', 'dict'),
  of('set', 'fresh text any', 'dict'),
  of('unset', 'fresh text', 'dict'),
  of('hasKey', 'dict text', 'bool'),
  of('pluck', 'text dict', 'list', 'dict'),
  of('pick', 'dict text', 'dict', 'text'),
  of('omit', 'dict text', 'dict', 'text'),
  of('merge', 'fresh dict', 'dict'),
  of('mergeOverwrite', 'fresh dict', 'dict', 'dict'),
  of('append', 'list any', 'list'),
  of('prepend', 'list any', 'list'),
  of('first', 'list', 'any'),
  of('first', 'texts', 'text'),
  of('rest', 'list', 'list'),
  of('last', 'list', 'any'),
  of('initial', 'list', 'list'),
  of('reverse', 'list', 'list'),
  of('uniq', 'list', 'list'),
  of('without', 'list any', 'list', 'any'),
  of('has', 'any list', 'bool'),
  of('slice', 'list int', 'any'),
  of('concat', 'list list', 'list'),
  of('semver', 'version', 'any'),
  of('semverCompare', 'constraint version', 'bool'),
  of('fail', 'text', 'text'),
  of('regexMatch', 'pattern text', 'bool'),
  of('regexFind', 'pattern text', 'text'),
  of('regexFindAll', 'pattern text int', 'texts'),
  of('regexReplaceAll', 'pattern text text', 'text'),
  of('regexReplaceAllLiteral', 'pattern text text', 'text'),
  of('regexSplit', 'pattern text int', 'texts'),
  of('urlParse', 'url', 'dict'),
  of('urlJoin', 'dict', 'text'),
  of('date', 'layout instant', 'text'),
  of('dateInZone', 'layout instant zone', 'text'),
  of('htmlDate', 'instant', 'text'),
  of('dateModify', 'duration time', 'time'),
  of('toDate', 'layout text', 'time'),
  of('unixEpoch', 'time', 'text'),
];
