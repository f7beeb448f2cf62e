/**
 * A text with `$(NAME)` replaced, as Kubernetes does it: what is not known stays as it is, `$$` is one dollar sign, and
 * a dollar sign before anything else means nothing.
 */
export function expand(text: string, valueOf: (name: string) => string | undefined): string {
  let result = '';
  let at = 0;
  for (let dollar = text.indexOf('$'); dollar >= 0; dollar = text.indexOf('$', at)) {
    result += text.slice(at, dollar);
    const next = text[dollar + 1];
    if (next === '$') {
      result += '$';
      at = dollar + 2;
      continue;
    }
    const end = next === '(' ? text.indexOf(')', dollar + 2) : -1;
    if (end < 0) {
      result += '$';
      at = dollar + 1;
      continue;
    }
    const name = text.slice(dollar + 2, end);
    result += valueOf(name) ?? `$(${name})`;
    at = end + 1;
  }
  return result + text.slice(at);
}
