import { z } from 'zod';

/** Short words for what nearly every answer has. */
export const text = z.string();
export const count = z.number();
export const list = <Item extends z.ZodType>(item: Item): z.ZodArray<Item> => z.array(item);
export const free = z.looseObject({});

export const ItemName = { resource: text, namespace: text.optional(), name: text };
