// Where items of a menu go when one of them is moved by a step, or put beside or into another one.
import {asTree} from "./terms_field.js";

/** Return `{id, parent, menu_order}` of the items whose place changes when one goes up, down, in or out. */
export function arranged(items, item, how) {
  const parents = new Map(items.map((one) => [one.id, one.parent]));
  const order = items.map((one) => one.id);
  const siblings = items.filter((one) => one.parent === item.parent);
  const at = siblings.findIndex((one) => one.id === item.id);
  if (how === "up" && at > 0) swap(order, item.id, siblings[at - 1].id);
  if (how === "down" && at < siblings.length - 1) swap(order, item.id, siblings[at + 1].id);
  if (how === "in" && at > 0) {
    parents.set(item.id, siblings[at - 1].id);
    place(order, item.id, order.length);
  }
  if (how === "out" && item.parent) {
    parents.set(item.id, parents.get(item.parent) || 0);
    place(order, item.id, order.indexOf(item.parent) + 1);
  }
  return changedPlaces(items, order, parents);
}

/** Return the same where an item is put before, after or into another one. */
export function placed(items, item, target, where) {
  const parents = new Map(items.map((one) => [one.id, one.parent]));
  const order = items.map((one) => one.id);
  parents.set(item.id, where === "into" ? target.id : target.parent);
  place(order, item.id, where === "into" ? order.length : order.indexOf(target.id) + (where === "after" ? 1 : 0));
  return changedPlaces(items, order, parents);
}

function changedPlaces(items, order, parents) {
  const byId = new Map(items.map((one) => [one.id, one]));
  const row = asTree(order.map((id) => ({...byId.get(id), parent: parents.get(id)})));
  const moved = row.map((one, index) => ({id: one.id, parent: one.parent, menu_order: index + 1}));
  return moved.filter((one) => one.parent !== byId.get(one.id).parent || one.menu_order !== byId.get(one.id).menu_order);
}

function swap(order, one, other) {
  const [i, j] = [order.indexOf(one), order.indexOf(other)];
  [order[i], order[j]] = [order[j], order[i]];
}

function place(order, id, to) {
  const from = order.indexOf(id);
  order.splice(from, 1);
  order.splice(from < to ? to - 1 : to, 0, id);
}
