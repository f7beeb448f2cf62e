import type { Waiting } from '../../pods/index.ts';

/** A wait that is shown in two places: on the volume, and on the operation that it belongs to. */
export function bothOf(one: Waiting, other: Waiting): Waiting {
  return {
    tell: (cause) => {
      one.tell(cause);
      other.tell(cause);
    },
    explain: (why) => {
      one.explain(why);
      other.explain(why);
    },
    end: () => {
      one.end();
      other.end();
    },
  };
}

/** The same, but in the other place only what the cluster says is in the way: that a mover works is no news there. */
export function obstaclesToo(one: Waiting, begin: () => Waiting): Waiting {
  let other: Waiting | undefined;
  const end = (): void => {
    other?.end();
    other = undefined;
  };
  return {
    tell: (cause) => {
      one.tell(cause);
      other?.tell(cause);
    },
    explain: (why) => {
      one.explain(why);
      if (why === undefined) {
        end();
        return;
      }
      other ??= begin();
      other.explain(why);
    },
    end: () => {
      one.end();
      end();
    },
  };
}
