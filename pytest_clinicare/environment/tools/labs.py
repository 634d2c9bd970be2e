"""Laboratory results and their dictionary."""

from __future__ import annotations

from pydantic import Field

from pytest_clinicare.environment.tools.arguments import InWindow, Item, Page
from pytest_clinicare.environment.tools.context import Context, Reading, Tool
from pytest_clinicare.environment.tools.items import find_items, unknown_item
from pytest_clinicare.environment.tools.query import Filter, Row, Select, columns, query, scope_of


class SearchLabItems(Page):
    text: str = Field(min_length=1, max_length=200, description="Part of a label, a fluid or a category.")


class GetLabs(InWindow):
    items: list[Item] | None = Field(
        default=None,
        max_length=50,
        description="Item ids (50912) or labels ('Creatinine'); a label is matched whole first, else as a part "
        "of labels.",
    )


def search_lab_items(context: Context, arguments: SearchLabItems) -> Reading:
    where = Filter().contains(arguments.text.strip(), "t.label", "t.fluid", "t.category")
    return query(
        context, [Select("d_labitems", columns("itemid label fluid category"), where)], arguments, ("label", "itemid")
    )


def get_labs(context: Context, arguments: GetLabs) -> Reading:
    context.check_admission(arguments.hadm_id)
    where = Filter().admission(arguments).window(arguments, "t.charttime")
    scope = scope_of(context, arguments)
    if arguments.items is not None:
        ids: list[int] = []
        for item in arguments.items:
            found = find_items(context, "d_labitems", item)
            if not found:
                advice = (
                    "search_lab_items lists what the chart has; an itemid can be asked for even if it has no result"
                )
                raise unknown_item(context, "d_labitems", item, advice)
            ids.extend(found)
        scope["items"] = sorted(set(ids))
        where.add(f"t.itemid IN ({', '.join('?' * len(scope['items']))})", *scope["items"])
    wanted = columns(
        "itemid charttime storetime value valuenum valueuom ref_range_lower ref_range_upper flag priority comments "
        "hadm_id specimen_id",
    )

    def labelled(row: Row) -> Row:
        label, fluid = context.lab_items.get(row["itemid"], (None, None))
        return {"ref": row["ref"], "itemid": row["itemid"], "label": label, "fluid": fluid, **row}

    labs = Select("labevents", wanted, where)
    return query(context, [labs], arguments, ("charttime",), tables=("d_labitems",), scope=scope, finish=labelled)


TOOLS = (
    Tool(
        "search_lab_items",
        "Search the laboratory dictionary of this chart (items that the patient has results for) for item ids.",
        SearchLabItems,
        search_lab_items,
    ),
    Tool(
        "get_labs",
        "Laboratory results in time order. charttime is when the specimen was taken, storetime when the result was "
        "available. With hadm_id only rows that carry it are returned: outpatient and some emergency "
        "results carry none, "
        "so use start and end without hadm_id to see everything in a window.",
        GetLabs,
        get_labs,
    ),
)
