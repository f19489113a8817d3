-- The text that a buyer wants on the piece.
alter table farm."orderItem" add column personalization text;
