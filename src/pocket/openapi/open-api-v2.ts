/** Clients still ask for it with an `@`, which no reader of media types accepts in an answer. */
const ASKED = /^application\/com\.github\.proto-openapi\.spec\.v2[.@]v1\.0\+protobuf$/;
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const TITLE = 'Kubernetes';
const VERSION = 'unversioned';

/** A string or message in protobuf: tag, length, bytes. Everything here is ASCII and shorter than 128 characters. */
function field(number: number, value: string): string {
  return String.fromCharCode((number << 3) | 2, value.length) + value;
}

/**
 * The OpenAPI v2 document, which describes nothing: kubectl asks for it only where OpenAPI v3 does not answer (a kind
 * that is not there yet, or a kubectl before 1.27), takes the kind for an unknown one and leaves validation to the
 * server. Without any document it would give up on the whole command.
 */
export function openApiV2(accept: string | undefined): { body: string; type: string } {
  if ((accept ?? '').split(',').some((type) => ASKED.test(type.trim()))) {
    return { body: field(1, '2.0') + field(2, field(1, TITLE) + field(2, VERSION)), type: PROTOBUF };
  }
  const document = { swagger: '2.0', info: { title: TITLE, version: VERSION }, paths: {}, definitions: {} };
  return { body: JSON.stringify(document), type: 'application/json' };
}
