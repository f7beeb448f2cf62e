/** A part of a layout that stands for a part of the time; `fraction` is `.000` or `.999`. */
export type Element =
  | 'January'
  | 'Jan'
  | '1'
  | '01'
  | 'Monday'
  | 'Mon'
  | '2'
  | '_2'
  | '02'
  | '__2'
  | '002'
  | '15'
  | '3'
  | '03'
  | '4'
  | '04'
  | '5'
  | '05'
  | '2006'
  | '06'
  | 'PM'
  | 'pm'
  | 'MST'
  | `${'Z' | '-'}${'070000' | '07:00:00' | '0700' | '07:00' | '07'}`
  | 'fraction';

export interface Piece {
  /** The text before the element, which stands for itself. */
  readonly literal: string;
  /** None at the end of the layout. */
  readonly element?: Element;
  /** As it stands in the layout, for fractions. */
  readonly text: string;
}

// In the order in which Go tries them. `Jan` and `Mon` are words only if no lower-case letter follows; a literal
// underscore stands before 2006; digits of a fraction are all nought or all nine and no other digit follows.
const ELEMENT =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|0[1-6]|002|15|1|2006|2|_(?=2006)|_2|__2|[345]|PM|pm|[-Z](?:070000|07:00:00|0700|07:00|07)|[.,](?:0+|9+)(?!\d)/g;

/** Go's layouts, cut into what stands for itself and what stands for a part of the time. */
export function readLayout(layout: string): Piece[] {
  const pieces: Piece[] = [];
  let literal = '';
  let end = 0;
  for (const { 0: text, index } of layout.matchAll(ELEMENT)) {
    literal += layout.slice(end, index);
    end = index + text.length;
    if (text === '_') literal += text;
    else {
      const element = /^[.,]/.test(text) ? 'fraction' : (text as Element);
      pieces.push({ literal, element, text });
      literal = '';
    }
  }
  pieces.push({ literal: literal + layout.slice(end), text: '' });
  return pieces;
}
