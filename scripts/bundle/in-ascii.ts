import type { Plugin } from 'rolldown';

/**
 * V8 keeps the source of what it runs, and with a single character beyond Latin-1 each one of its characters takes two
 * bytes. No tagged template here reads the raw text of such a character.
 */
export const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      chunk.code = chunk.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};
