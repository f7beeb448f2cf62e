const MAX_NAME = 253;
const MAX_LABEL = 63;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Whether a Kubernetes object can have this name: a DNS subdomain, as almost all kinds require. */
export function isObjectName(text: string): boolean {
  return text.length <= MAX_NAME && SUBDOMAIN.test(text);
}

/** Whether a namespace can have this name: a DNS label. */
export function isNamespaceName(text: string): boolean {
  return text.length <= MAX_LABEL && LABEL.test(text);
}
