import { FunctionProblem } from '../problem.ts';
import { any, variadic } from '../value/function.ts';
import type { Callable } from '../value/value.ts';

/** A phase that is repeated after a restart must get the arguments it had; a name that is looked up waits for nobody. */
const REASONS = {
  random: 'a phase that runs again must get the same arguments',
  network: 'templates do not use the network',
  cryptography: 'secrets belong in Secrets, and keys are made by programs in pods',
} as const;

const NAMES: Readonly<Record<keyof typeof REASONS, readonly string[]>> = {
  random: ['randAlphaNum', 'randAlpha', 'randAscii', 'randNumeric', 'shuffle', 'uuidv4'],
  network: ['getHostByName'],
  cryptography: [
    'bcrypt',
    'buildCustomCert',
    'decryptAES',
    'derivePassword',
    'encryptAES',
    'genCA',
    'genPrivateKey',
    'genSelfSignedCert',
    'genSignedCert',
    'htpasswd',
  ],
};

function refuse(name: string, kind: keyof typeof REASONS): Callable {
  return variadic([], any, () => {
    throw new FunctionProblem(`the function ${name} of sprig is not supported (${kind}): ${REASONS[kind]}`);
  });
}

/** They can be named, so that a template which does not come to them is not refused. */
export const REFUSED: Readonly<Record<string, Callable>> = Object.fromEntries(
  (Object.keys(NAMES) as (keyof typeof REASONS)[]).flatMap((kind) =>
    NAMES[kind].map((name) => [name, refuse(name, kind)]),
  ),
);
