/**
 * Reads the protobuf bodies that Go clients send for built-in kinds.
 * It must never trust a length or a nesting depth from the wire.
 */
export { decodeProtobuf, isProtobuf } from './decode.ts';
