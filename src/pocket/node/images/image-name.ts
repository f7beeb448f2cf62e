/** Part by part as in the grammar of image references; a domain is known by a dot, a port or the name localhost. */
const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const NAME = new RegExp(`^(?:(?:[a-zA-Z0-9.-]+(?::\\d+)?)/)?${PART}(?:/${PART})*$`);
const TAG = /^[\w][\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const MAX_LENGTH = 255 + 1 + 128 + 200;

export type ImageName = { name: string } | { problem: string };

/** The name of an image without tag and digest, or what is wrong with it, in the words of a kubelet. */
export function imageName(image: string): ImageName {
  const [beforeDigest, digest] = split(image, '@');
  const slash = beforeDigest.lastIndexOf('/');
  const [last, tag] = split(beforeDigest.slice(slash + 1), ':');
  const name = beforeDigest.slice(0, slash + 1) + last;
  const isGood = (tag === undefined || TAG.test(tag)) && (digest === undefined || DIGEST.test(digest));
  if (image.length <= MAX_LENGTH && isGood && NAME.test(name)) return { name };
  const why =
    NAME.test(name.toLowerCase()) && isGood
      ? `invalid reference format: repository name (${withoutDomain(name)}) must be lowercase`
      : 'invalid reference format';
  const shown = JSON.stringify(image.slice(0, 200));
  return { problem: `Failed to apply default image tag ${shown}: couldn't parse image name ${shown}: ${why}` };
}

function split(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function isDomain(part: string): boolean {
  return part.includes('.') || part.includes(':') || part === 'localhost';
}

function withoutDomain(name: string): string {
  const slash = name.indexOf('/');
  if (slash < 0) return `library/${name}`;
  return isDomain(name.slice(0, slash)) ? name.slice(slash + 1) : name;
}

/** The part that images of a kind share, whatever registry they come from. */
export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
