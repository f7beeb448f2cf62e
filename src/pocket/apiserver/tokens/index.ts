/**
 * Tokens of service accounts: made on request, and known again.
 * It must never store one: a token is checked by its signature and by the account that it names.
 */
export { AccountTokens, type AccountUser, type IssuedToken } from './account-tokens.ts';
