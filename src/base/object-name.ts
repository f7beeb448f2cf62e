const MAX_NAME = 253;
const MAX_LABEL = 63;
const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Whether a Kubernetes object can have this name: a DNS subdomain, as almost all kinds require. */
export function isObjectName(text: string): boolean {
  return text.length <= MAX_NAME && text.split('.').every((part) => LABEL.test(part));
}

/** Whether a namespace can have this name: a DNS label. */
export function isNamespaceName(text: string): boolean {
  return text.length <= MAX_LABEL && LABEL.test(text);
}

/** Why the API server would refuse a namespace of that name; undefined when it would not. */
export function namespaceNameProblem(text: string): string | undefined {
  if (isNamespaceName(text)) return undefined;
  return `"${text}" cannot be the name of a namespace: expected at most 63 of a-z, 0-9 and -`;
}
