"""Sums of neighbours' rows in vector registers, the innermost loop of every pass."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

AHEAD = 32
"""How many neighbours in advance their rows are fetched into the cache."""


def _fetch(builder: ir.IRBuilder, pointer: Any) -> None:
    """Fetch what a pointer points to into the cache, for reading."""
    byte = ir.IntType(8).as_pointer()
    function = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.VoidType(), [byte] + [ir.IntType(32)] * 3),
        "llvm.prefetch.p0i8",
    )
    flags = [ir.Constant(ir.IntType(32), flag) for flag in (0, 3, 1)]
    builder.call(function, [builder.bitcast(pointer, byte), *flags])


@intrinsic
def prefetched(_: Any, values: Any, at: Any) -> Any:
    """Fetch an element of an array into the cache; `at` has no sign."""

    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        integer = ir.IntType(64)
        place = arguments[1]
        place = place if place.type == integer else builder.zext(place, integer)
        _fetch(builder, builder.gep(array.data, [place]))
        return context.get_dummy_value()

    return types.void(values, at), code


def row_step_of(lanes: int) -> Any:
    """Return an intrinsic that makes one step of `lanes` columns of a row, in registers.

    The neighbours' rows are added up, times `share`; the row itself is added `b` times, its old
    values `c` times and those of `right`, as far as it has columns, `e` times.
    """

    @intrinsic
    def row_step(  # noqa: PLR0913 - one argument per array and factor
        _: Any, ends: Any, weights: Any, now: Any, old: Any, right: Any, first: Any, last: Any,
        row: Any, column: Any, share: Any, b: Any, c: Any, e: Any,
    ) -> Any:  # fmt: skip
        factors = (share, b, c, e)
        signature = types.void(
            ends, weights, now, old, right, first, last, row, column, *factors
        )  # fmt: skip

        def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            first_, last_, row_, column_, share_, b_, c_, e_ = arguments[5:]
            arrays: list[Any] = [
                None if kind is types.none else context.make_array(kind)(context, builder, value)
                for kind, value in zip(signature.args[:5], arguments[:5], strict=True)
            ]
            neighbours, edge_weights, values, before, added = arrays
            number = context.get_data_type(signature.args[2].dtype)
            vector = ir.VectorType(number, lanes)
            integer, whole = ir.IntType(64), ir.IntType(32)
            size = number.get_abi_size(context.target_data)
            held = cgutils.alloca_once(builder, vector)
            builder.store(ir.Constant(vector, None), held)  # zeros

            def place_in(array: Any, at: Any) -> Any:
                """A pointer to these columns of a row."""
                width = cgutils.unpack_tuple(builder, array.shape)[1]
                pointer = builder.gep(array.data, [builder.add(builder.mul(at, width), column_)])
                return builder.bitcast(pointer, vector.as_pointer())

            def loaded(pointer: Any) -> Any:
                found = builder.load(pointer)
                found.align = size
                return found

            def spread(one: Any) -> Any:
                """A number in all lanes."""
                lane, kind = ir.Constant(whole, 0), ir.VectorType(one.type, lanes)
                single = builder.insert_element(ir.Constant(kind, ir.Undefined), one, lane)
                every = ir.Constant(ir.VectorType(whole, lanes), None)
                return builder.shuffle_vector(single, single, every)

            def end_of(edge: Any) -> Any:
                end = builder.load(builder.gep(neighbours.data, [edge]))
                return end if end.type == integer else builder.sext(end, integer)

            final = builder.sub(
                cgutils.unpack_tuple(builder, neighbours.shape)[0], ir.Constant(integer, 1)
            )
            with cgutils.for_range_slice(
                builder, first_, last_, ir.Constant(integer, 1), integer
            ) as (edge, _):
                ahead = builder.add(edge, ir.Constant(integer, AHEAD))
                inside = builder.icmp_signed("<", ahead, final)
                _fetch(builder, place_in(values, end_of(builder.select(inside, ahead, final))))
                load = loaded(place_in(values, end_of(edge)))
                if edge_weights is not None:
                    weight = builder.load(builder.gep(edge_weights.data, [edge]))
                    load = builder.fmul(load, spread(weight))
                builder.store(builder.fadd(builder.load(held), load), held)
            new = builder.fmul(spread(share_), builder.load(held))
            own = place_in(values, row_)
            new = builder.fadd(new, builder.fmul(spread(b_), loaded(own)))
            target = place_in(before, row_)
            new = builder.fadd(new, builder.fmul(spread(c_), loaded(target)))
            if added is not None:
                width = cgutils.unpack_tuple(builder, added.shape)[1]
                lane = ir.Constant(ir.VectorType(integer, lanes), list(range(lanes)))
                mask = builder.icmp_signed("<", lane, spread(builder.sub(width, column_)))
                more = _masked(builder, place_in(added, row_), mask, vector, size)
                new = builder.fadd(new, builder.fmul(spread(e_), more))
            builder.store(new, target).align = size
            return context.get_dummy_value()

        return signature, code

    return row_step


def _masked(builder: ir.IRBuilder, pointer: Any, mask: Any, vector: Any, size: int) -> Any:
    """Load the lanes of a vector that a mask allows; 0 in the others, which are not touched."""
    kind = f"v{vector.count}f{8 * size}"
    function = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(vector, [pointer.type, ir.IntType(32), mask.type, vector]),
        f"llvm.masked.load.{kind}.p0{kind}",
    )
    aligned = ir.Constant(ir.IntType(32), size)
    return builder.call(function, [pointer, aligned, mask, ir.Constant(vector, None)])


step_2, step_4, step_8, step_16 = (row_step_of(lanes) for lanes in (2, 4, 8, 16))
