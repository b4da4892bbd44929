// What a table is sorted by, as it stands in an address: `name`, `-load`.

export interface Order {
  by: string;
  descending: boolean;
}

export function orderOf(text: string | undefined, otherwise: string): Order {
  const order = text ?? otherwise;
  return { by: order.replace(/^-/, ''), descending: order.startsWith('-') };
}

export function orderText({ by, descending }: Order): string {
  return `${descending ? '-' : ''}${by}`;
}

/** By a number or a text; what is not known comes last, whichever way, and equals stay in their order. */
export function sortedBy<Item>(
  items: readonly Item[],
  valueOf: (item: Item) => number | string | null,
  descending: boolean,
): Item[] {
  const direction = descending ? -1 : 1;
  return items
    .map((item) => ({ item, value: valueOf(item) }))
    .sort((left, right) => {
      if (left.value === null || right.value === null)
        return Number(left.value === null) - Number(right.value === null);
      if (typeof left.value === 'string' || typeof right.value === 'string')
        return direction * String(left.value).localeCompare(String(right.value), 'en', { numeric: true });
      return direction * (left.value - right.value);
    })
    .map(({ item }) => item);
}
